import { type Kysely, type RawBuilder, sql } from 'kysely';
import { unknownLifecycle } from '../../../src/domain/lifecycle/lifecycle.ts';
import type { Database } from '../../../src/store/schema.ts';
import { BATCH, numbers } from '../board/seed.ts';

/**
 * Fills a store with orders of three accounts that are all in trouble: each fails to be retrieved, is stalled, and is overdue or at risk.
 * One in ten has an announcement that was given up, one in ten one that is tried in vain, one in fifty a webhook in quarantine.
 */
export async function seedTroubles(db: Kysely<Database>, subjects: number, now: number): Promise<void> {
  for (let first = 1; first <= subjects; first += BATCH) {
    const rows = numbers(db, first, Math.min(subjects, first + BATCH - 1));
    for (const statement of [insertSubjects(rows, now), insertOutgoing(rows, now), insertQuarantined(rows, now)])
      await statement.execute(db);
  }
  await sql`analyze`.execute(db);
}

const LIFECYCLE = JSON.stringify({ ...unknownLifecycle, revision: 6 });

const HOUR_MS = 3_600_000;

const FACTS = JSON.stringify({ customerName: 'Cobalt' });

const tenant = sql`'91' || (n % 3)`;
const id = sql`cast(40000000 + n as text)`;

function insertSubjects(rows: RawBuilder<unknown>, now: number) {
  const trouble = JSON.stringify({
    operation: 'getOrder',
    error: 'GET /orders/40000000 answered 503',
    status: 503,
    code: 'ERR_WAREHOUSE_FAILED',
    attempts: 9,
    since: now - HOUR_MS,
    nextTryAt: now + 60_000,
  });
  const due = sql`${sql.lit(now)} + case when n % 2 = 0 then -n else n end`;
  return sql`
    insert into subjects (tenant, kind, subject_id, stage, stage_since, revision, lifecycle, customer_id, facts, last_event_at, created_at,
      updated_at, stalled, retrieving, retrieving_at, due_at, at_risk_at, due_because)
    select ${tenant}, 'order', ${id}, 'picked', ${sql.lit(now - HOUR_MS)} - n, 6, ${LIFECYCLE}, cast(n % 200 as text), ${FACTS},
      ${sql.lit(now)}, ${sql.lit(now)}, ${sql.lit(now)}, 1, ${trouble}, ${sql.lit(now - 120_000)} + n % 60000,
      ${due}, ${due} - ${sql.lit(2 * HOUR_MS)}, 'same day'
    from ${rows}`;
}

const insertOutgoing = (rows: RawBuilder<unknown>, now: number) => sql`
  insert into outbox (announcement, destination, tenant, kind, subject_id, revision, created_at, tried_since, attempts, last_status, last_error,
    dead_lettered_at, dead_letter_reason)
  select 'order:' || ${tenant} || ':' || ${id} || '/6/picked', 'default', ${tenant}, 'order', ${id}, 6, ${sql.lit(now - HOUR_MS)} - n,
    ${sql.lit(now - HOUR_MS)}, 3, 422, 'POST answered 422', case when n % 10 = 1 then ${sql.lit(now - HOUR_MS)} end,
    case when n % 10 = 1 then 'answered 422 for three days' end
  from ${rows} where n % 10 in (1, 2)`;

const insertQuarantined = (rows: RawBuilder<unknown>, now: number) => sql`
  insert into inbox (event_id, endpoint, tenant, quarantine_reason, received_at, body)
  select 'seeded:' || n, 'warehouse', ${tenant}, 'unknown event "Order' || (n % 40) || '" of an order', ${sql.lit(now - HOUR_MS)}, ${Buffer.from('{}')}
  from ${rows} where n % 50 = 3`;
