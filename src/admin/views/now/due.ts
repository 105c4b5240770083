import { type Kysely, sql } from 'kysely';
import type { Stage } from '../../../domain/lifecycle/stage.ts';
import { COUNTED } from '../../../store/bounded-count.ts';
import { isPostgres } from '../../../store/engines/dialect.ts';
import type { Database } from '../../../store/schema.ts';
import { isDueAndOpen } from '../../../store/tables/deadlines.ts';

/** Distance of an order from its deadline: it has passed, is near, or is within the next hours. */
type Urgency = 'overdue' | 'atRisk' | 'later';

/** Step that an order still needs before it is shipped. */
export const tasks = ['pick', 'pack', 'ship'] as const;

/** One of {@link tasks}. */
export type Task = (typeof tasks)[number];

const taskOf: { readonly [S in Stage]?: Task } = { picked: 'pack', packing: 'pack', packed: 'ship' };

/** Numbers of orders by urgency and by task. */
export type DueCounts = { readonly [C in Urgency | Task]: number };

/** Orders of one customer that go by one carrier; null for what is not known. */
export interface DueGroup extends DueCounts {
  readonly customerId: string | null;
  readonly customerName: string | null;
  readonly carrier: string | null;
}

/** Orders that are to be shipped within the next hours, and those that were shipped in the last ones. */
export interface DueOrders extends DueCounts {
  /** There are more than were counted. */
  readonly isMore: boolean;
  /** By the hour in which they are due from now on: the first has what is due within the next hour. */
  readonly hours: readonly ({ readonly [T in Task]: number } & { readonly at: number })[];
  /** The most urgent ones. */
  readonly groups: readonly DueGroup[];
  /** Orders with a deadline that were shipped, and how many of them after it. */
  readonly shipped: { readonly count: number; readonly late: number };
}

const HOUR_MS = 3_600_000;

/** Hours that are looked ahead and back. */
export const HOURS = 24;

/** Groups that are shown. */
const GROUPS = 12;

/** Rows of one statement: equal orders, counted. */
interface Row {
  readonly urgency: Urgency;
  /** Hours until they are due, rounded down; null for those that are overdue. */
  readonly hour: number | null;
  readonly stage: Stage;
  readonly customerId: string | null;
  readonly customerName: string | null;
  readonly carrier: string | null;
  readonly count: number;
}

/** Reads the orders that are due soon, the earliest of them where there are very many. */
export async function readDue(db: Kysely<Database>, now: number): Promise<DueOrders> {
  const rows = await countDue(db, now);
  const hours = Array.from({ length: HOURS }, (_, hour) => ({ at: now + hour * HOUR_MS, ...NONE }));
  const groups = new Map<string, Counted<DueGroup>>();
  const all: Counted<DueCounts> = { ...NONE, overdue: 0, atRisk: 0, later: 0 };
  for (const { urgency, hour, stage, count, ...names } of rows) {
    const task = taskOf[stage] ?? 'pick';
    const { customerId, carrier } = names;
    const key = JSON.stringify([customerId, carrier]);
    const group = groups.get(key) ?? { ...names, ...NONE, overdue: 0, atRisk: 0, later: 0 };
    groups.set(key, group);
    for (const counts of [all, group]) {
      counts[urgency] += count;
      counts[task] += count;
    }
    const slice = hour === null ? undefined : hours[hour];
    if (slice) slice[task] += count;
  }
  return {
    ...all,
    isMore: rows.reduce((sum, { count }) => sum + count, 0) > COUNTED,
    hours,
    groups: [...groups.values()].sort(byUrgency).slice(0, GROUPS),
    shipped: await countShipped(db, now),
  };
}

const NONE = { pick: 0, pack: 0, ship: 0 };

/** Counts while they are added up. */
type Counted<T extends DueCounts> = Omit<T, keyof DueCounts> & { -readonly [C in keyof DueCounts]: number };

const byUrgency = (a: DueCounts, b: DueCounts): number =>
  b.overdue - a.overdue || b.atRisk - a.atRisk || b.later - a.later;

async function countDue(db: Kysely<Database>, now: number): Promise<readonly Row[]> {
  const fact = (name: string) =>
    isPostgres(db) ? sql`facts::json ->> ${sql.lit(name)}` : sql`facts ->> ${sql.lit(`$.${name}`)}`;
  const { rows } = await sql<Row>`
    select urgency, hour, stage, "customerId", max("customerName") as "customerName", carrier, count(*) as count from (
      select stage, customer_id as "customerId", ${fact('customerName')} as "customerName", ${fact('carrier')} as carrier,
        case when due_at <= ${now} then 'overdue' when at_risk_at <= ${now} then 'atRisk' else 'later' end as urgency,
        case when due_at > ${now} then cast((due_at - ${now}) / ${sql.lit(HOUR_MS)} as integer) end as hour
      from ${sql.table('subjects')}
      where ${isDueAndOpen} and kind = 'order' and due_at < ${now + HOURS * HOUR_MS}
      order by due_at limit ${COUNTED + 1}) as due
    group by urgency, hour, stage, "customerId", carrier`.execute(db);
  return rows;
}

/** An order was shipped by when that was recorded, or by its newest event, whichever was earlier: one that was told late is not late. */
async function countShipped(db: Kysely<Database>, now: number): Promise<DueOrders['shipped']> {
  const { rows } = await sql<DueOrders['shipped']>`
    select count(*) as count, coalesce(sum(case when stage_since > due_at and last_event_at > due_at then 1 else 0 end), 0) as late from (
      select stage_since, last_event_at, due_at from ${sql.table('subjects')}
      where kind = 'order' and stage = 'confirmed' and stage_since >= ${now - HOURS * HOUR_MS}
      order by stage_since limit ${COUNTED}) as shipped
    where due_at is not null`.execute(db);
  const [{ count, late } = { count: 0, late: 0 }] = rows;
  return { count, late: Number(late) };
}
