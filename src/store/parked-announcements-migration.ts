import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Lets announcements be given up with a reason, and be found again. */
export const parkedAnnouncementsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('announcements').addColumn('parked_at', 'bigint').execute();
    await db.schema.alterTable('announcements').addColumn('parked_reason', 'text').execute();
    await db.schema
      .createIndex('announcements_parked')
      .on('announcements')
      .columns(['parked_at', 'id'])
      .where(sql<boolean>`sent_at is null and parked_at is not null`)
      .execute();
  },
};
