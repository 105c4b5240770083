import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../../observability/logger.ts';
import type { BulkName } from './filters.ts';
import type { Performer } from './performers.ts';
import type { BulkQueue, LeasedBulk } from './ports.ts';

/** Dependencies of the runner. */
interface RunnerDeps {
  readonly queue: BulkQueue;
  readonly performers: Readonly<Record<BulkName, Performer>>;
  /** Names an outage for people; undefined for any other failure. */
  readonly explainOutage: (error: unknown) => string | undefined;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
}

/** Runs the confirmed bulk actions of the store, together with other processes. */
interface BulkRunner {
  start(): void;
  /** Looks for bulk actions now. */
  wake(): void;
  /** Stops after the items in progress. */
  close(): Promise<void>;
}

/** Time for which a process has a bulk action to itself: longer than a few items take, and until another goes on after a kill. */
const LEASE_MS = 30_000;

/** Time between two looks for bulk actions, and after a failure; in milliseconds. */
const LOOK_MS = 1000;
const RETRY_MS = 3000;

/** Rest after a few items, as a multiple of their time, and the longest in milliseconds: webhooks are served as if nothing ran. */
const REST_FACTOR = 3;
const LONGEST_REST_MS = 200;

/** Creates the runner. It does a few items of each bulk action in turn, and writes their results before it goes on. */
export function createBulkRunner({ queue, performers, explainOutage, logger }: RunnerDeps): BulkRunner {
  const holder = randomUUID();
  const closing = new AbortController();
  let looking = new AbortController();
  let running: Promise<void> | undefined;

  async function step(bulk: LeasedBulk): Promise<void> {
    const { chunk, perform } = performers[bulk.action];
    const items = await queue.next(bulk, chunk);
    if (items.length === 0) return queue.finish(bulk);
    const open = items.filter(({ error }) => error === null);
    const errors =
      open.length > 0
        ? await perform(
            open.map(({ target }) => target),
            bulk.createdAt,
          )
        : [];
    const results = new Map(open.map(({ position }, index) => [position, errors[index] ?? null]));
    await queue.record(
      bulk,
      items.map(({ position, error }) => ({ position, error: error ?? results.get(position) ?? null })),
      LEASE_MS,
    );
  }

  /** Returns the time until the next look: a rest as long as there is something to do. */
  async function advance(): Promise<number> {
    const bulk = await queue.lease(holder, LEASE_MS);
    if (!bulk) return LOOK_MS;
    const startedAt = performance.now();
    try {
      await step(bulk);
      return Math.min(LONGEST_REST_MS, (performance.now() - startedAt) * REST_FACTOR);
    } catch (err) {
      const outage = explainOutage(err);
      if (outage === undefined) logger.error({ err, bulk: bulk.id }, 'a bulk action does not go on; retrying');
      await queue.note(bulk, outage ?? 'It failed; the log says why.');
      return RETRY_MS;
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const pauseMs = await advance().catch((err: unknown) => {
        logger.warn({ err }, 'cannot look for bulk actions; retrying');
        return RETRY_MS;
      });
      looking = new AbortController();
      const signal = AbortSignal.any([looking.signal, closing.signal]);
      await wait(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
    await queue.release(holder).catch(() => undefined);
  }

  return {
    start() {
      running ??= run();
    },
    wake: () => looking.abort(),
    async close() {
      closing.abort();
      await running;
    },
  };
}
