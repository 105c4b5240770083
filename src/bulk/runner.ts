import { toProblem } from '../admin/problem.ts';
import type { BulkActions, RunningBulk } from '../admin/tables/bulk-actions.ts';
import type { Logger } from '../base/logger.ts';
import { createLoop } from '../base/loop.ts';
import type { BulkName } from '../store/schema.ts';
import { bulkBody } from './filters.ts';
import type { BulkItems } from './items.ts';
import type { Performer } from './performers.ts';

/** Does a little of a bulk action, or sees to it that somebody does. */
type Advance = (bulk: RunningBulk) => Promise<void>;

/**
 * Creates the step of a bulk action: it tries the next few items and writes down the results and how far that is, or the end if none is left.
 * After a kill in between, the next step tries the same items again; of two processes that take the same step one moves on.
 */
export function createStep(
  { store, items }: { readonly store: Pick<BulkActions, 'record' | 'finish'>; readonly items: Pick<BulkItems, 'next'> },
  { chunk, perform }: Performer,
): Advance {
  return async (bulk) => {
    const { action, filter } = bulk;
    const page = await items.next(bulkBody.parse({ action, filter }), {
      asOf: bulk.createdAt,
      after: bulk.position,
      limit: chunk,
    });
    if (page) await store.record(bulk, page.position, await perform(page.targets, bulk));
    else await store.finish(bulk.id);
  };
}

interface RunnerDeps {
  readonly store: Pick<BulkActions, 'running' | 'note'>;
  readonly advance: Readonly<Record<BulkName, Advance>>;
  readonly isOutage: (error: unknown) => boolean;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
}

/** Time between two looks for bulk actions, and after a failure; in milliseconds. */
const LOOK_MS = 1000;
const RETRY_MS = 3000;

/** Rest after a few items, as a multiple of their time, and the longest in milliseconds: webhooks are served as if nothing ran. */
const REST_FACTOR = 3;
const LONGEST_REST_MS = 200;

/** Runs the confirmed bulk actions of the store, a little of each in turn. Several processes may, and none has to finish what it began. */
export function createBulkRunner({ store, advance, isOutage, logger }: RunnerDeps) {
  /** Reports whether it went on; otherwise people are told why it does not. */
  async function tryAdvance(bulk: RunningBulk): Promise<boolean> {
    try {
      await advance[bulk.action](bulk);
      return true;
    } catch (err) {
      const { statusCode, message } = toProblem(err, isOutage);
      if (statusCode !== 503) logger.error({ err, bulk: bulk.id }, 'a bulk action cannot continue; retrying');
      await store.note(bulk.id, statusCode === 503 ? message : 'It failed; the log says why.');
      return false;
    }
  }

  /** Returns the time until the next look: a rest as long as there is something to do. */
  async function advanceAll(): Promise<number> {
    const startedAt = performance.now();
    const bulks = await store.running();
    let hasFailed = false;
    for (const bulk of bulks) hasFailed = !(await tryAdvance(bulk)) || hasFailed;
    if (hasFailed) return RETRY_MS;
    return bulks.length === 0 ? LOOK_MS : Math.min(LONGEST_REST_MS, (performance.now() - startedAt) * REST_FACTOR);
  }

  /** `start` begins, `wake` looks for bulk actions now, and `close` stops after the items in progress. */
  return createLoop(() =>
    advanceAll().catch((err: unknown) => {
      logger.warn({ err }, 'cannot look for bulk actions; retrying');
      return RETRY_MS;
    }),
  );
}
