import { pino } from 'pino';
import type { Store } from '../../src/app/store.ts';
import type { Logger } from '../../src/base/logger.ts';
import { createHealth } from '../../src/health/health.ts';
import type { Machine } from '../../src/health/sources.ts';
import { createReadings, readEverything } from '../../src/store/limited-reads.ts';

/** Machine on which nothing is wrong. */
export const soundMachine: Machine = {
  findAway: async () => undefined,
  freeBytes: async () => 2 ** 40,
  sweeps: async () => ({ last: [], everyMs: 3_600_000, at: 0 }),
  missingKeys: async () => [],
  lackingAttributes: async () => [],
};

/** Opens the reading of incidents over a store, on a machine that may have troubles. */
export const openTestHealth = (
  { reads, now }: Pick<Store, 'reads' | 'now'>,
  machine: Machine = soundMachine,
  logger: Pick<Logger, 'info' | 'error'> = pino({ level: 'silent' }),
) => createHealth({ readings: createReadings(readEverything(reads), now), now, machine, timeZone: 'UTC', logger });
