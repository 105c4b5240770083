import type { BulkActions, RunningBulk, Tried } from '../admin/tables/bulk-actions.ts';
import type { Sources } from '../admin/views/view.ts';
import type { Logger } from '../base/logger.ts';
import type { DestinationControl } from '../destinations/destination-control.ts';
import type { DeadLetters } from '../destinations/tables/dead-letters.ts';
import type { Repeats } from '../destinations/tables/repeats.ts';
import { parseSubjectKey } from '../domain/catalogue/subject.ts';
import { isStoreFailure } from '../domain/errors.ts';
import { statusOf } from '../http/problem.ts';
import type { QuarantinedFilter } from '../inbox/tables/quarantined.ts';
import { listQuarantined } from '../inbox/views/quarantine.ts';
import { type Refreshed, refresh } from '../subjects/refresh.ts';
import { erasuresOf } from '../subjects/views/subject/read.ts';
import type { SubjectControl } from '../temporal/subject-control.ts';

/** Does a bulk action to a few items, any of which may have been tried before. */
export interface Performer {
  /** Number of items that are tried together. */
  readonly chunk: number;
  /** Rejects if all have to be tried again. */
  perform(targets: readonly string[], bulk: RunningBulk): Promise<Tried>;
}

export interface RefreshingDeps extends Pick<Sources, 'reads'> {
  readonly control: Pick<SubjectControl, 'refresh'>;
  readonly isOutage: (error: unknown) => boolean;
  readonly logger: Pick<Logger, 'error'>;
}

/** Creates the refresh of a few subjects. */
export const refreshing = (deps: RefreshingDeps): Performer => ({
  chunk: 16,
  async perform(targets, bulk) {
    // Waits for all, so that none is in progress after a failure.
    const settled = await Promise.allSettled(targets.map((key) => tryRefresh(key, bulk, deps)));
    const results = settled.map((it) => {
      if (it.status === 'rejected') throw it.reason;
      return it.value;
    });
    return {
      done: results.filter(({ outcome }) => outcome === 'done').length,
      asked: results.filter(({ outcome }) => outcome === 'asked').length,
      failures: results.flatMap((it, index) =>
        it.outcome === 'failed' ? [{ target: targets[index] ?? '', error: it.reason }] : [],
      ),
    };
  },
});

async function tryRefresh(
  key: string,
  { createdAt }: RunningBulk,
  { control, reads, isOutage, logger }: RefreshingDeps,
): Promise<Refreshed> {
  const subject = parseSubjectKey(key);
  if (!subject) return failed('It no longer exists.');
  // A refresh would bring its data back.
  if ((await erasuresOf({ reads }, subject)).some(({ at }) => at.getTime() >= createdAt))
    return failed('It was erased.');
  try {
    return await refresh(subject, { control, reads });
  } catch (error) {
    if (isOutage(error) || isStoreFailure(error)) throw error;
    if (statusOf(error) < 500) return failed((error as Error).message);
    logger.error({ err: error, ...subject }, 'a refresh of a bulk action failed');
    return failed('It failed; the log says why.');
  }
}

const failed = (reason: string) => ({ outcome: 'failed', reason }) as const;

/** Creates the resend of a few dead letters. They are counted as they are queued, and nobody finds them again. */
export const resending = ({ deadLetters }: { readonly deadLetters: Pick<DeadLetters, 'requeue'> }): Performer => ({
  chunk: 50,
  async perform(targets, bulk) {
    await deadLetters.requeue(targets, bulk);
    return {};
  },
});

interface RepeatingDeps {
  readonly repeats: Repeats;
  readonly destinations: Pick<DestinationControl, 'filterOf' | 'identityOf' | 'nameOf'>;
}

/** Creates the repetition of a few announcements to a destination. What it has not acknowledged yet is sent anyhow. */
export const repeating = ({ repeats, destinations }: RepeatingDeps): Performer => ({
  chunk: 50,
  async perform(targets, bulk) {
    const { tenant = '', destination = '' } = bulk.filter;
    const id = bulk.identity ?? destination;
    const name = await destinations.nameOf({ tenant, id });
    const filter = await destinations.filterOf({ tenant, name });
    // It may have been renamed since the preview, or removed, and its name given to somebody else.
    if (!filter || (await destinations.identityOf({ tenant, name })) !== id)
      throw new Error(`there is no destination ${name} of ${tenant}`);
    await repeats.repeat(targets, { tenant, id, filter }, bulk);
    return {};
  },
});

interface ReplayingDeps extends Pick<Sources, 'reads'> {
  readonly bulkActions: Pick<BulkActions, 'count'>;
  readonly replay: (filter: QuarantinedFilter) => Promise<number>;
}

/** Creates the replay of a few quarantined deliveries. Those that are ingested are counted at once: another process finds the others only. */
export const replaying = ({ bulkActions, reads, replay }: ReplayingDeps): Performer => ({
  // The largest bodies have to fit into memory together.
  chunk: 20,
  async perform(targets, { id }) {
    const ids = targets.map(Number);
    await bulkActions.count(id, await replay({ ids }));
    const left = await listQuarantined({ reads }, { ids }, ids.length);
    return { failures: left.map((row) => ({ target: String(row.id), error: 'It is still not understood.' })) };
  },
});
