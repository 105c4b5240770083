import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Gives deliveries and resources the customer of their own time. Of those that exist nobody knows it, so that they are nobody's. */
export const customersMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table inbox add column customer_id text`.execute(db);
    await sql`create index inbox_customer on inbox (customer_id, id) where customer_id is not null`.execute(db);
    await sql`alter table resources add column customer_id text`.execute(db);
  },
};
