import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** What every part of the store works with; `now` gives milliseconds since the epoch. */
export interface StoreDeps {
  readonly db: Kysely<Database>;
  readonly now: () => number;
}
