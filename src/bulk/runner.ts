import { toProblem } from '../admin/problem.ts';
import type { BulkActions, RunningBulk, Tried } from '../admin/tables/bulk-actions.ts';
import type { Sources } from '../admin/views/view.ts';
import type { Logger } from '../base/logger.ts';
import { createLoop } from '../base/loop.ts';
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
import { bulkBody } from './filters.ts';
import type { BulkItems } from './items.ts';

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
const reprocessing = ({ bulkActions, reads, reprocess }: ReprocessingDeps): Performer => ({
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

interface StepDeps {
  readonly store: Pick<BulkActions, 'record' | 'finish'>;
  readonly items: Pick<BulkItems, 'next'>;
}

/** After a kill in between the next step tries the same items again; of two processes with the same step one moves on. */
export async function takeStep({ store, items }: StepDeps, { chunk, perform }: Performer, bulk: RunningBulk) {
  const { action, filter, createdAt: asOf, position: after } = bulk;
  const page = await items.next(bulkBody.parse({ action, filter }), { asOf, after, limit: chunk });
  if (page) await store.record(bulk, page.position, await perform(page.targets, bulk));
  else await store.finish(bulk.id);
}

interface RunnerDeps extends StepDeps {
  readonly store: Pick<BulkActions, 'take' | 'note' | 'record' | 'finish'>;
  readonly performers: Readonly<Record<BulkName, Performer>>;
  readonly isOutage: (error: unknown) => boolean;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
}

const LOOK_MS = 1000;
const RETRY_MS = 3000;

/** After a few items, as a multiple of their time, and at most: webhooks are served as if nothing ran. */
const REST_FACTOR = 3;
const LONGEST_REST_MS = 200;

/** A little of each at a time, in any process; none has to finish what it began. */
export function createBulkRunner({ store, items, performers, isOutage, logger }: RunnerDeps) {
  const working = new Set<Promise<void>>();

  async function tryAdvance(bulk: RunningBulk): Promise<void> {
    const startedAt = performance.now();
    try {
      await takeStep({ store, items }, performers[bulk.action], bulk);
    } catch (err) {
      const { statusCode, message } = toProblem(err, isOutage);
      if (statusCode !== 503) logger.error({ err, bulk: bulk.id }, 'a bulk action cannot continue; retrying');
      await store.note(bulk.id, statusCode === 503 ? message : 'It failed; the log says why.', RETRY_MS);
    }
    setTimeout(loop.nudge, Math.min(LONGEST_REST_MS, (performance.now() - startedAt) * REST_FACTOR)).unref();
  }

  /** None waits for another: a refresh takes as long as its warehouse. */
  async function begin(): Promise<void> {
    for (const bulk of await store.take()) {
      const work = tryAdvance(bulk)
        .catch(report)
        .finally(() => working.delete(work));
      working.add(work);
    }
  }

  const report = (err: unknown) => logger.warn({ err }, 'cannot look for bulk actions; retrying');

  const loop = createLoop(async () => {
    await begin().catch(report);
    return LOOK_MS;
  });
  return {
    start: () => loop.start(),
    wake: loop.nudge,
    async close() {
      await loop.close();
      await Promise.all(working);
    },
  };
}
