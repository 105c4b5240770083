import type { Kysely } from 'kysely';
import type { Database } from '../schema.ts';

/** A query over the rows that wait to be observed, in the words of their indexes. */
export const waitingRows = (db: Kysely<Database>) =>
  db.selectFrom('inbox').where('observed_at', 'is', null).where('quarantine_reason', 'is', null);
