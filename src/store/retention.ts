import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../observability/logger.ts';
import { type Purge, type Purgeable, purgeable } from './purge.ts';

/** For how long each is kept after it was observed, acknowledged or, if quarantined, received, in milliseconds. */
export type RetentionAges = Readonly<Record<Purgeable, number>>;

const DAY_MS = 86_400_000;

/**
 * The ages by default. Senders are
 * known to repeat a delivery for hours and to hold one back for days; its key is kept for a month.
 */
export const retentionAges: RetentionAges = {
  bodies: 7 * DAY_MS,
  events: 14 * DAY_MS,
  keys: 30 * DAY_MS,
  quarantined: 90 * DAY_MS,
  announcements: 30 * DAY_MS,
};

/** Lets go of what is old, now and then. */
export interface Retention {
  start(): void;
  /** Lets go of all that is over now; returns how many of each. Rejects as the store does. */
  sweep(): Promise<Readonly<Record<Purgeable, number>>>;
  /** Ends a sweep after the statement that is under way. */
  close(): Promise<void>;
}

/** How many rows one statement takes: few enough that a webhook behind it does not notice. */
const BATCH = 200;

/**
 * A retention over the store; several at once share the work.
 *
 * @throws RangeError for ages that contradict each other: a body goes before what it told, and that before its dedupe key
 */
export function createRetention({
  purge,
  logger,
  ages = retentionAges,
  now = Date.now,
  everyMs = 600_000,
  pauseMs = 50,
}: {
  readonly purge: Purge;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly ages?: RetentionAges;
  readonly now?: () => number;
  /** Between two sweeps, in milliseconds. */
  readonly everyMs?: number;
  /** Between two statements, in milliseconds. */
  readonly pauseMs?: number;
}): Retention {
  if (ages.bodies > ages.events || ages.events > ages.keys)
    throw new RangeError('Bodies must not be kept for longer than events, nor events for longer than dedupe keys');
  const closing = new AbortController();
  let sweeping: Promise<void> | undefined;

  async function forgetAll(what: Purgeable): Promise<number> {
    let total = 0;
    let count = BATCH;
    while (count === BATCH && !closing.signal.aborted) {
      count = await purge.run(what, now() - ages[what], BATCH);
      total += count;
      if (count === BATCH) await pause(pauseMs);
    }
    return total;
  }

  async function sweep(): Promise<Readonly<Record<Purgeable, number>>> {
    const counts = { bodies: 0, events: 0, keys: 0, quarantined: 0, announcements: 0 };
    for (const what of purgeable) counts[what] = await forgetAll(what);
    return counts;
  }

  async function sweepForever(): Promise<void> {
    while (!closing.signal.aborted) {
      await sweep().then(
        (counts) => Object.values(counts).some(Boolean) && logger.info(counts, 'what was old is not kept any more'),
        (err: unknown) => logger.warn({ err }, 'what is old cannot be let go now; it is tried again'),
      );
      await pause(everyMs);
    }
  }

  /** Ends early when closing. */
  const pause = (ms: number) => wait(ms, undefined, { signal: closing.signal }).catch(() => {});

  return {
    start() {
      sweeping ??= sweepForever();
    },
    sweep,
    async close() {
      closing.abort();
      await sweeping;
    },
  };
}
