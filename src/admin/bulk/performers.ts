import { parseSubjectKey, type SubjectRef } from '../../domain/catalogue/subject.ts';
import { isStoreFailure } from '../../domain/errors.ts';
import { statusOf } from '../../http/problem.ts';
import type { Logger } from '../../observability/logger.ts';
import type { DeadLetter, DeadLetters } from '../../store/tables/dead-letters.ts';
import type { QuarantinedFilter } from '../../store/tables/quarantined.ts';
import { ASKED } from '../actions.ts';
import { refresh as refreshNow } from '../refresh.ts';
import type { SubjectControl } from '../subject-control.ts';
import { listQuarantined } from '../views/quarantine.ts';
import type { Sources } from '../views/view.ts';
import type { BulkName } from './filters.ts';

/** Dependencies of the performers. */
export interface PerformerDeps extends Pick<Sources, 'reads'> {
  readonly deadLetters: Pick<DeadLetters, 'find' | 'requeue'>;
  readonly control: Pick<SubjectControl, 'refresh'>;
  readonly replay: (filter: QuarantinedFilter) => Promise<number>;
  readonly isOutage: (error: unknown) => boolean;
  readonly logger: Logger;
}

/** Does an action to a few items, any of which may have been done before. */
export interface Performer {
  /** Number of items that are done together. */
  readonly chunk: number;
  /** Returns for each item null, or the reason why it failed. Rejects if all have to be tried again. */
  perform(targets: readonly string[], chosenAt: number): Promise<readonly (string | null)[]>;
}

const GONE = 'It no longer exists.';

/** Creates the performer of each bulk action. Each may be repeated after a kill without a second effect. */
export function createPerformers(deps: PerformerDeps): Readonly<Record<BulkName, Performer>> {
  const { deadLetters, replay } = deps;
  return {
    refresh: {
      chunk: 16,
      async perform(targets) {
        // Waits for all, so that none is in progress after a failure.
        const tried = await Promise.allSettled(targets.map((key) => refresh(parseSubjectKey(key), deps)));
        return tried.map((it) => {
          if (it.status === 'rejected') throw it.reason;
          return it.value;
        });
      },
    },

    resend: {
      chunk: 20,
      async perform(targets, chosenAt) {
        const found = await deadLetters.find(targets);
        // One that was given up again since is another dead letter, which nobody has chosen.
        const isChosen = ({ deadLetteredAt }: DeadLetter) => deadLetteredAt !== null && deadLetteredAt <= chosenAt;
        await deadLetters.requeue(found.filter(isChosen).map(({ id }) => id));
        const ids = new Set(found.map(({ id }) => id));
        return targets.map((id) => (ids.has(id) ? null : GONE));
      },
    },

    replay: {
      chunk: 20,
      async perform(targets) {
        const ids = targets.map(Number);
        await replay({ ids });
        const left = await listQuarantined(deps, { ids }, { after: 0, limit: ids.length });
        const isLeft = new Set(left.map(({ id }) => id));
        return ids.map((id) => (isLeft.has(id) ? 'It is still not understood.' : null));
      },
    },
  };
}

async function refresh(
  subject: SubjectRef | undefined,
  { control, reads, isOutage, logger }: PerformerDeps,
): Promise<string | null> {
  if (!subject) return GONE;
  try {
    const refreshed = await refreshNow(subject, { control, reads });
    if (refreshed.outcome === 'failed') return refreshed.reason;
    return refreshed.outcome === 'done' ? null : ASKED;
  } catch (error) {
    if (isOutage(error) || isStoreFailure(error)) throw error;
    if (statusOf(error) < 500) return (error as Error).message;
    logger.error({ err: error, ...subject }, 'a refresh of a bulk action failed');
    return 'It failed; the log says why.';
  }
}
