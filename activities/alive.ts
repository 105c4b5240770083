import { heartbeat } from '@temporalio/activity';

/** How often an activity says that it is under way, in milliseconds; a third of what its caller waits for. */
const EVERY_MS = 5_000;

/** An activity that says so as long as its process lives, so that one whose worker was killed is soon given to another. */
export function alive<Args extends readonly unknown[], Output>(
  activity: (...args: Args) => Promise<Output>,
): (...args: Args) => Promise<Output> {
  return async (...args) => {
    const beats = setInterval(() => heartbeat(), EVERY_MS);
    try {
      return await activity(...args);
    } finally {
      clearInterval(beats);
    }
  };
}
