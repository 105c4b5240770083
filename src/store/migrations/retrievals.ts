import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the latest GETs of each subject. */
export const retrievalsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table subjects add column retrievals text`.execute(db);
  },
};
