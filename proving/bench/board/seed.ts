import { type Kysely, type RawBuilder, sql } from 'kysely';
import { unknownLifecycle } from '../../../src/domain/lifecycle/lifecycle.ts';
import { isPostgres } from '../../../src/store/engines/dialect.ts';
import type { Database } from '../../../src/store/schema.ts';

/** Rows of one statement, so that none takes long. */
const BATCH = 50_000;

/**
 * Fills a store with subjects of three tenants, each with a delivery and an announcement. One in fifty is under way, one in 200 needs
 * attention, one in 100 has a dead letter; the others ended within the last 30 days.
 */
export async function seed(db: Kysely<Database>, subjects: number): Promise<void> {
  for (let first = 1; first <= subjects; first += BATCH) {
    const rows = numbers(db, first, Math.min(subjects, first + BATCH - 1));
    for (const statement of [
      insertSubjects(rows),
      insertDeliveries(rows),
      insertAnnouncements(rows),
      insertOutgoing(rows),
    ])
      await statement.execute(db);
  }
  await sql`analyze`.execute(db);
}

/** Returns the numbers from one to another as rows with a column `n`. */
function numbers(db: Kysely<Database>, first: number, last: number): RawBuilder<unknown> {
  if (isPostgres(db)) return sql`generate_series(${sql.lit(first)}::bigint, ${sql.lit(last)}::bigint) as numbers (n)`;
  return sql`(with recursive numbers (n) as
    (select ${sql.lit(first)} union all select n + 1 from numbers where n < ${sql.lit(last)}) select n from numbers) as numbers`;
}

/** Newest time of the seeded rows, in milliseconds since the epoch, and the time between two of them. */
const newest = sql.lit(Date.now() - 60_000);
const at = sql`${newest} - (n % 2500000) * 1000`;

const tenant = sql`'91' || (n % 3)`;
const kind = sql`case when n % 20 = 0 then 'receipt' when n % 20 = 1 then 'item' else 'order' end`;
const id = sql`cast(40000000 + n as text)`;

const stage = sql`case
  when n % 20 = 1 then 'current'
  when n % 50 <> 2 then case when n % 7 = 0 then 'canceled' else 'confirmed' end
  when n % 20 = 0 then 'created'
  else case (n / 50) % 6 when 0 then 'created' when 1 then 'completed' when 2 then 'fullyAllocated' when 3 then 'picked'
    when 4 then 'packing' else 'packed' end end`;

const insertSubjects = (rows: RawBuilder<unknown>) => sql`
  insert into subjects (tenant, kind, subject_id, stage, stage_since, revision, lifecycle, reference_number, customer_id, facility_id,
    last_event_at, created_at, updated_at, stalled, refused)
  select ${tenant}, ${kind}, ${id}, ${stage}, ${at}, 6, ${LIFECYCLE}, 'REF-' || n, cast(n % 200 as text), '12',
    ${at}, ${at}, ${at}, case when n % 200 = 2 then 1 else 0 end,
    case when n % 400 = 2 then '[{"operation":"getUser","message":"403 of GET /users/2110","since":1795000000000}]' end
  from ${rows}`;

const insertDeliveries = (rows: RawBuilder<unknown>) => sql`
  insert into inbox (event_id, endpoint, tenant, subject_key, event, quarantine_code, quarantine_data, received_at, observed_at, retained, body)
  select 'seeded:' || n, 'warehouse', ${tenant}, case when n % 1000 = 5 then null else ${kind} || ':' || ${tenant} || ':' || ${id} end,
    null, case when n % 1000 = 5 then 'unknownName' end, case when n % 1000 = 5 then '{"name":"OrderShipped","families":["order"]}' end, ${at}, case when n % 1000 = 5 then null else ${at} end,
    case when n % 1000 = 5 then 'all' else 'key' end, ${BODY}
  from ${rows}`;

const insertAnnouncements = (rows: RawBuilder<unknown>) => sql`
  insert into announcements (id, tenant, kind, subject_id, revision, summary, created_at, body)
  select ${kind} || ':' || ${tenant} || ':' || ${id} || '/6/confirmed', ${tenant}, ${kind}, ${id}, 6, 'confirmed', ${at}, ${BODY}
  from ${rows}`;

const insertOutgoing = (rows: RawBuilder<unknown>) => sql`
  insert into outbox (announcement, destination, tenant, kind, subject_id, revision, created_at, tried_since, attempts, last_status, last_ms,
    sent_at, dead_lettered_at, dead_letter_reason)
  select ${kind} || ':' || ${tenant} || ':' || ${id} || '/6/confirmed', 'default', ${tenant}, ${kind}, ${id}, 6, ${at}, ${at}, 1,
    case when n % 100 = 7 then 500 else 204 end, 12, case when n % 100 = 7 then null else ${at} end,
    case when n % 100 = 7 then ${at} end, case when n % 100 = 7 then 'answered 500 for three days' end
  from ${rows}`;

const LIFECYCLE = JSON.stringify({ ...unknownLifecycle, revision: 6 });

const BODY = Buffer.from('{}');
