import type { BulkActions, RunningBulk, Tried } from '../admin/tables/bulk-actions.ts';
import type { Sources } from '../admin/views/view.ts';
import type { Logger } from '../base/logger.ts';
import type { Destinations } from '../destinations/tables/destinations.ts';
import type { Redelivery } from '../destinations/tables/redelivery.ts';
import { parseSubjectKey } from '../domain/catalogue/subject.ts';
import { isStoreFailure } from '../domain/errors.ts';
import { statusOf } from '../http/problem.ts';
import type { QuarantinedFilter } from '../inbox/tables/quarantined.ts';
import { listQuarantined } from '../inbox/views/quarantine.ts';
import type { BulkName } from '../store/schema.ts';
import { type Refreshed, refresh, type SubjectControl } from '../subjects/refresh.ts';
import { erasuresOf } from '../subjects/views/subject/read.ts';

/** Items may have been tried before. */
export interface Performer {
  readonly chunk: number;
  /** Rejects if all have to be tried again. */
  perform(targets: readonly string[], bulk: RunningBulk): Promise<Tried>;
}

interface RefreshingDeps extends Pick<Sources, 'reads'> {
  readonly control: Pick<SubjectControl, 'refresh'>;
  readonly isOutage: (error: unknown) => boolean;
  readonly logger: Pick<Logger, 'error'>;
}

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

/** Counted as they are queued: nobody finds them again. */
export const resending = ({ redelivery }: { readonly redelivery: Pick<Redelivery, 'requeue'> }): Performer => ({
  chunk: 50,
  async perform(targets, bulk) {
    await redelivery.requeue(targets, bulk);
    return {};
  },
});

interface ReplayingDeps {
  readonly redelivery: Pick<Redelivery, 'replay'>;
  readonly destinations: Pick<Destinations, 'filterOf'>;
}

/** Without unacknowledged ones, which are sent anyhow. */
export const replaying = ({ redelivery, destinations }: ReplayingDeps): Performer => ({
  chunk: 50,
  async perform(targets, bulk) {
    const { tenant = '', destination = '' } = bulk.filter;
    const id = bulk.identity ?? '';
    // It may have been renamed since the preview, or removed, and its name given to somebody else.
    const filter = await destinations.filterOf({ tenant, id });
    if (!filter) throw new Error(`there is no destination ${destination} of ${tenant}`);
    await redelivery.replay(targets, { tenant, id, filter }, bulk);
    return {};
  },
});

interface ReprocessingDeps extends Pick<Sources, 'reads'> {
  readonly bulkActions: Pick<BulkActions, 'count'>;
  readonly reprocess: (filter: QuarantinedFilter) => Promise<number>;
}

/** Counted at once: another process finds only the others. */
export const reprocessing = ({ bulkActions, reads, reprocess }: ReprocessingDeps): Performer => ({
  // The largest bodies have to fit into memory together.
  chunk: 20,
  async perform(targets, { id }) {
    const ids = targets.map(Number);
    await bulkActions.count(id, await reprocess({ id: ids }));
    const left = await listQuarantined({ reads }, { id: ids }, ids.length);
    return { failures: left.map((row) => ({ target: String(row.id), error: 'It is still not understood.' })) };
  },
});

export const performersOf = (
  deps: RefreshingDeps & Parameters<typeof resending>[0] & ReplayingDeps & ReprocessingDeps,
): Readonly<Record<BulkName, Performer>> => ({
  refresh: refreshing(deps),
  resend: resending(deps),
  replay: replaying(deps),
  reprocess: reprocessing(deps),
});
