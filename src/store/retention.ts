import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../base/logger.ts';
import { createLoop } from '../base/loop.ts';
import { type Purge, type Purgeable, purgeable } from './purge.ts';

/** Few enough rows not to delay a webhook. */
const BATCH = 200;

/** Several processes share the work. */
export function createRetention({
  purge,
  logger,
  ages,
  now = Date.now,
  everyMs = 600_000,
  pauseMs = 50,
}: {
  readonly purge: Purge;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** After observation, acknowledgment, retrieval, action or, in quarantine, receipt. */
  readonly ages: Readonly<Record<Purgeable, number>>;
  /** Of the clock that processes share. */
  readonly now?: () => number | Promise<number>;
  readonly everyMs?: number;
  readonly pauseMs?: number;
}) {
  async function purgeOld(what: Purgeable, closing: AbortSignal | undefined): Promise<number> {
    let total = 0;
    let count = BATCH;
    while (count === BATCH && !closing?.aborted) {
      count = await purge.run(what, (await now()) - ages[what], BATCH);
      total += count;
      if (count === BATCH) await wait(pauseMs, undefined, { signal: closing }).catch(() => {});
    }
    return total;
  }

  async function purgeAll(closing?: AbortSignal): Promise<Readonly<Record<Purgeable, number>>> {
    await reportQuarantined();
    const counts = Object.fromEntries(purgeable.map((what) => [what, 0])) as Record<Purgeable, number>;
    for (const what of purgeable) counts[what] = await purgeOld(what, closing);
    return counts;
  }

  /** From now on nobody can look at them. */
  async function reportQuarantined(): Promise<void> {
    const found = await purge.quarantinedBefore((await now()) - ages.quarantined);
    if (!found) return;
    const fields = { ...found, oldest: new Date(found.oldest).toISOString() };
    logger.warn(fields, 'deleting quarantined deliveries past their retention');
  }

  const loop = createLoop(async (closing) => {
    await purgeAll(closing).then(
      (counts) => Object.values(counts).some(Boolean) && logger.info(counts, 'purged data past its retention'),
      (err: unknown) => logger.warn({ err }, 'cannot purge data past its retention; retrying later'),
    );
    return everyMs;
  });

  return {
    start: () => loop.start(),
    /** Rejects if the store fails. */
    purgeAll: () => purgeAll(),
    /** Stops after the current statement. */
    close: loop.close,
  };
}
