import { cancellationSignal } from '@temporalio/activity';
import { alive } from './alive.ts';
import { createAnnouncing, park } from './announce.ts';
import { toFailure } from './failure.ts';
import type { ActivityDeps } from './ports.ts';
import { recall, record } from './record.ts';
import { retrieve } from './retrieve.ts';
import { sweepChanged, sweepOpen } from './sweep.ts';
import type { SweepDeps } from './sweep-ports.ts';
import { createTakingIn } from './take-in.ts';

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
        throw toFailure(error, deps.retry);
      }
    };
  const { announce, announceAtOnce, publish } = createAnnouncing();
  return {
    retrieve: bind(alive(retrieve)),
    takeIn: bind(createTakingIn(publish)),
    record: bind(alive(record)),
    recall: bind(alive(recall)),
    announce: bind(announce),
    announceAtOnce: bind(announceAtOnce),
    publish: bind(publish),
    park: bind(alive(park)),
    sweepChanged: bind(sweepChanged),
    sweepOpen: bind(sweepOpen),
  };
}
