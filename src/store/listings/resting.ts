import { setTimeout as wait } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { isPostgres } from '../engines/dialect.ts';
import type { Database } from '../schema.ts';

/** Rest after a statement, as a multiple of its time, and the longest, in milliseconds. */
const REST_FACTOR = 4;
const LONGEST_MS = 10;

/** Time of a statement after which there is no rest, in milliseconds. */
const SHORT_MS = 0.2;

/**
 * Runs one of many statements of a listing. With SQLite a statement occupies the process, and a webhook takes several turns of the event
 * loop: so this rests after it for four times as long as it took.
 */
export async function resting<T>(db: Kysely<Database>, run: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await run();
  const tookMs = performance.now() - startedAt;
  if (tookMs > SHORT_MS && !isPostgres(db)) await wait(Math.min(LONGEST_MS, tookMs * REST_FACTOR));
  return result;
}
