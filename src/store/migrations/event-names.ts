import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the names of events that people have accepted or ignored. */
export const eventNamesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    const statements = [
      sql`create table event_names (
        key text not null primary key,
        meaning text not null,
        accepted_at bigint not null,
        accepted_by text not null)`,
      // With the id, so that the oldest of each reason is found beside its number.
      sql`drop index inbox_quarantined`,
      sql`create index inbox_quarantined on inbox (quarantine_reason, id) where quarantine_reason is not null`,
    ];
    for (const statement of statements) await statement.execute(db);
  },
};
