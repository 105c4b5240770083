import { toProblem } from '../admin/problem.ts';
import type { BulkActions, RunningBulk } from '../admin/tables/bulk-actions.ts';
import type { Logger } from '../base/logger.ts';
import { createLoop } from '../base/loop.ts';
import type { BulkName } from '../store/schema.ts';
import { bulkBody } from './filters.ts';
import type { BulkItems } from './items.ts';
import type { Performer } from './performers.ts';

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
    setTimeout(loop.wake, Math.min(LONGEST_REST_MS, (performance.now() - startedAt) * REST_FACTOR)).unref();
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
    wake: loop.wake,
    async close() {
      await loop.close();
      await Promise.all(working);
    },
  };
}
