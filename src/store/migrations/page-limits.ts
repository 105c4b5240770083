import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds why records of a warehouse cannot be asked for together, which every process shows. */
export const pageLimitsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table page_limits (
      tenant text not null,
      kind text not null,
      reason text not null,
      since bigint not null,
      at bigint not null,
      primary key (tenant, kind))`.execute(db);
  },
};
