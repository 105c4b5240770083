import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import type { Backoff } from '../src/domain/retry-policy.ts';
import { advance, retrieve } from './advance.ts';
import { announce } from './announce.ts';
import { toFailure, waitAfter } from './failure.ts';
import type { ActivityDeps } from './ports/deps.ts';
import { record } from './record.ts';
import { type SweepDeps, sweepChanged, sweepOpen } from './sweep.ts';

export type Activities = ReturnType<typeof createActivities>;

type Deps = ActivityDeps & SweepDeps;

/** Binds the activities to their dependencies and translates their failures for Temporal, which alone retries. */
export function createActivities(deps: Deps) {
  const bind =
    <Input, Output>(backoff: Backoff, activity: (deps: Deps, input: Input) => Promise<Output>) =>
    async (input: Input): Promise<Output> => {
      const signal = cancellationSignal();
      try {
        return await activity(deps, input);
      } catch (error) {
        // A canceled call fails as unreachable; the cancellation is the truth.
        signal.throwIfAborted();
        throw toFailure(error, waitAfter(error, activityInfo().attempt, backoff, deps.retry));
      }
    };
  return {
    advance: bind('retrieve', advance),
    retrieve: bind('retrieve', withHeartbeat(retrieve)),
    record: bind('store', withHeartbeat(record)),
    announce: bind('announce', withHeartbeat(announce)),
    sweepChanged: bind('retrieve', sweepChanged),
    sweepOpen: bind('retrieve', sweepOpen),
  };
}

/** A third of the timeout. */
const HEARTBEAT_MS = 5_000;

/** So that Temporal soon retries an activity whose worker is killed. */
function withHeartbeat<Args extends readonly unknown[], Output>(
  activity: (...args: Args) => Promise<Output>,
): (...args: Args) => Promise<Output> {
  return async (...args) => {
    const beats = setInterval(() => heartbeat(), HEARTBEAT_MS);
    try {
      return await activity(...args);
    } finally {
      clearInterval(beats);
    }
  };
}
