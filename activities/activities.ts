import { cancellationSignal } from '@temporalio/activity';
import { advance, retrieve } from './advance.ts';
import { alive } from './alive.ts';
import { announce } from './announce.ts';
import { askedWait, toFailure } from './failure.ts';
import type { ActivityDeps } from './ports.ts';
import { record } from './record.ts';
import { sweepChanged, sweepOpen } from './sweep.ts';
import type { SweepDeps } from './sweep-ports.ts';

/** The activities as a worker registers them; workflows take only their type. */
export type Activities = ReturnType<typeof createActivities>;

/** Binds the activities to what they need and translates their failures for Temporal, which alone retries. */
export function createActivities(deps: ActivityDeps & SweepDeps) {
  const bind =
    <Input, Output>(activity: (deps: ActivityDeps & SweepDeps, input: Input) => Promise<Output>) =>
    async (input: Input): Promise<Output> => {
      const signal = cancellationSignal();
      try {
        return await activity(deps, input);
      } catch (error) {
        // A canceled call fails as unreachable; the cancellation is the truth.
        signal.throwIfAborted();
        throw toFailure(error, askedWait(error, deps.retry));
      }
    };
  return {
    advance: bind(advance),
    retrieve: bind(alive(retrieve)),
    record: bind(alive(record)),
    announce: bind(alive(announce)),
    sweepChanged: bind(sweepChanged),
    sweepOpen: bind(sweepOpen),
  };
}
