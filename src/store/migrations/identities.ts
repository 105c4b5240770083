import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Gives destinations identities: those that exist are known by their names, as is what waits for them. */
export const identitiesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table destinations add column id text not null default ''`.execute(db);
    await sql`update destinations set id = name`.execute(db);
    await sql`create unique index destinations_id on destinations (tenant, id)`.execute(db);
  },
};
