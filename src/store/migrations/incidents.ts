import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../engines/dialect.ts';

/** Adds what incidents are found by: when GETs of subjects failed last, and how each warehouse has answered. */
export const incidentsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    const since = isPostgres(db)
      ? sql`(retrieving::json ->> 'since')::bigint`
      : sql`json_extract(retrieving, '$.since')`;
    const statements = [
      sql`alter table subjects add column retrieving_at bigint`,
      sql`update subjects set retrieving_at = ${since} where retrieving is not null`,
      // With what an incident says of the subjects that it holds up, so that ten thousand of them are not read.
      sql`create index subjects_retrieving on subjects (tenant, retrieving_at, customer_id, at_risk_at, due_at)
        where retrieving_at is not null`,
      // However many wait for a destination that is away, those that another one rejects are found at once.
      sql`create index outbox_tried on outbox (tenant, destination, created_at)
        where sent_at is null and dead_lettered_at is null and attempts > 0`,
      // They are of another form now: what is still wrong is found and told again.
      sql`delete from alerts`,
      sql`create table answers (
        tenant text not null,
        operation text not null,
        outcome text not null,
        code text,
        since bigint not null,
        at bigint not null,
        before bigint,
        primary key (tenant, operation, outcome))`,
    ];
    for (const statement of statements) await statement.execute(db);
  },
};
