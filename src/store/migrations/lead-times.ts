import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../engines/dialect.ts';

/** Adds the lead times of what is closed, one row each, and computes those of what was closed before. */
export const leadTimesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    const at = (column: 'lifecycle' | 'facts', path: readonly string[]) =>
      isPostgres(db)
        ? sql`${sql.ref(column)}::json #>> ${sql.lit(`{${path.join(',')}}`)}`
        : sql`json_extract(${sql.ref(column)}, ${sql.lit(`$.${path.join('.')}`)})`;
    const timeOf = (register: string, milestone: string) => {
      const part = (name: string) => at('lifecycle', ['registers', register, name]);
      return sql`case when ${part('milestone')} = ${sql.lit(milestone)} and ${part('eventId')} is not null
        then cast(${part('time')} as bigint) end`;
    };
    const took = (from: string, to: string) =>
      sql`case when ${sql.ref(to)} < ${sql.ref(from)} then 0 else ${sql.ref(to)} - ${sql.ref(from)} end`;
    const ofOrders = (value: ReturnType<typeof took>) => sql`case when kind = 'order' then ${value} end`;
    // As other keys, which migration 0010 has altered.
    const text = isPostgres(db) ? sql`text collate "C"` : sql`text`;
    const statements = [
      sql`create table lead_times (
        tenant ${text} not null,
        kind ${text} not null,
        subject_id ${text} not null,
        customer_id ${text},
        facility_id ${text},
        carrier ${text},
        closed_at bigint not null,
        sample integer not null,
        on_time integer,
        allocated_ms bigint,
        picked_ms bigint,
        packed_ms bigint,
        shipped_ms bigint,
        whole_ms bigint,
        primary key (tenant, kind, subject_id))`,
      sql`insert into lead_times
        select tenant, kind, subject_id, customer_id, facility_id, carrier, closed, sample,
          case when due_at is not null then case when closed <= due_at then 1 else 0 end end,
          ${ofOrders(took('created', 'allocated'))}, ${ofOrders(took('allocated', 'picked'))},
          ${ofOrders(took('picked', 'packed'))}, ${ofOrders(took('packed', 'closed'))}, ${took('created', 'closed')}
        from (select tenant, kind, subject_id, customer_id, facility_id, due_at, ${at('facts', ['carrier'])} as carrier,
            ${isPostgres(db) ? sql`cast(floor(random() * 64) as integer)` : sql`abs(random() % 64)`} as sample,
            ${timeOf('existence', 'created')} as created, ${timeOf('allocation', 'fullyAllocated')} as allocated,
            ${timeOf('pick', 'picked')} as picked, ${timeOf('pack', 'packed')} as packed,
            ${timeOf('closing', 'confirmed')} as closed
          from subjects where kind in ('order', 'receipt')) as known
        where closed is not null`,
      // With what they are filtered by, so that those that are left out are not read.
      sql`create index lead_times_closed on lead_times (kind, sample, closed_at, customer_id, facility_id, carrier, tenant)`,
    ];
    for (const statement of statements) await statement.execute(db);
  },
};
