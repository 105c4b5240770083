import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the slots of the warehouses' rates, which processes share. */
export const rateSlotsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table rate_slots (
      warehouse text not null,
      slot integer not null,
      free_at bigint not null,
      primary key (warehouse, slot))`.execute(db);
  },
};
