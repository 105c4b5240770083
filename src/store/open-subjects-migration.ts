import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Finds what is open without walking through everything that ever was. */
export const openSubjectsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createIndex('subjects_open')
      .on('subjects')
      .columns(['tenant', 'kind', 'subject_id'])
      .where(sql<boolean>`stage not in ('confirmed', 'canceled', 'deleted')`)
      .execute();
  },
};
