import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from './dialect.ts';

/** Finds what has been kept long enough, and the parked deliveries, without walking through everything else. */
export const retentionMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('inbox')
      .addColumn('kept', 'text', (column) => column.notNull().defaultTo('all'))
      .execute();
    await db.schema
      .createIndex('inbox_kept')
      .on('inbox')
      .columns(['kept', 'dispatched_at'])
      .where(sql<boolean>`dispatched_at is not null`)
      .execute();
    await db.schema
      .createIndex('inbox_parked_order')
      .on('inbox')
      .column('id')
      .where(sql<boolean>`parked_reason is not null`)
      .execute();
    await db.schema
      .createIndex('announcements_sent')
      .on('announcements')
      .column('sent_at')
      .where(sql<boolean>`sent_at is not null and length(body) > 0`)
      .execute();
    // Each row is written several times. By default a fifth of the table has to be dead before its indexes are swept, and finding
    // the oldest waiting row has to step over all of that.
    if (isPostgres(db)) await sql`alter table inbox set (autovacuum_vacuum_scale_factor = 0.01)`.execute(db);
  },
};
