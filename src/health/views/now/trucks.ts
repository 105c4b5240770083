import { type Kysely, sql } from 'kysely';
import type { Stage } from '../../../domain/lifecycle/stage.ts';
import { COUNTED } from '../../../store/bounded-count.ts';
import { isPostgres } from '../../../store/engines/dialect.ts';
import type { Database } from '../../../store/schema.ts';
import { isDueAndOpen } from '../../../subjects/tables/deadlines.ts';
import { missesOf, type Pace } from './pace.ts';

/** Steps that an order still needs before it is shipped. */
export const tasks = ['pick', 'pack', 'ship'] as const;

type Task = (typeof tasks)[number];

const taskOf: { readonly [S in Stage]?: Task } = { picked: 'pack', packing: 'pack', packed: 'ship' };

/** Orders that a carrier takes at a time: by what is missing to ship them, and how many will not be ready. */
export interface Truck extends Readonly<Record<Task, number>> {
  /** Null for what is not known. */
  readonly carrier: string | null;
  /** Null for the orders that are overdue, whatever truck they have missed. */
  readonly dueAt: number | null;
  /** Those of the most orders first. */
  readonly customers: readonly { readonly name: string; readonly count: number }[];
  /** Null where nothing was shipped lately, so that nobody knows how long it takes. */
  readonly misses: number | null;
}

/** Trucks of the next hours. */
export interface Trucks {
  readonly trucks: readonly Truck[];
  /** There are more orders than were counted. */
  readonly isMore: boolean;
}

/** Hours that are looked ahead, and trucks that are shown. */
const AHEAD_MS = 24 * 3_600_000;
const SHOWN = 12;

/** Equal orders, counted. */
interface Row {
  readonly dueAt: number | null;
  readonly stage: Stage;
  readonly carrier: string | null;
  readonly customer: string | null;
  readonly count: number;
}

/** Reads the open orders that are due soon, the earliest of them where there are very many, and when each truck leaves. */
export async function readTrucks(db: Kysely<Database>, pace: Pace, now: number): Promise<Trucks> {
  const fact = (name: string) =>
    isPostgres(db) ? sql`facts::json ->> ${sql.lit(name)}` : sql`facts ->> ${sql.lit(`$.${name}`)}`;
  const { rows } = await sql<Row>`
    select "dueAt", stage, carrier, customer, count(*) as count from (
      select case when due_at > ${now} then due_at end as "dueAt", stage, ${fact('carrier')} as carrier,
        coalesce(${fact('customerName')}, customer_id) as customer
      from ${sql.table('subjects')}
      where ${isDueAndOpen} and kind = 'order' and due_at < ${now + AHEAD_MS}
      order by due_at limit ${COUNTED + 1}) as due
    group by "dueAt", stage, carrier, customer order by coalesce("dueAt", 0), carrier`.execute(db);
  const groups = Map.groupBy(rows, ({ dueAt, carrier }) => JSON.stringify([dueAt, carrier]));
  return {
    trucks: [...groups.values()].slice(0, SHOWN).map((group) => loadOf(group, pace, now)),
    isMore: groups.size > SHOWN || rows.reduce((sum, { count }) => sum + count, 0) > COUNTED,
  };
}

function loadOf(group: readonly Row[], pace: Pace, now: number): Truck {
  const [{ dueAt, carrier }] = group as [Row];
  const counts = { pick: 0, pack: 0, ship: 0 };
  for (const { stage, count } of group) counts[taskOf[stage] ?? 'pick'] += count;
  const customers = [...Map.groupBy(group, ({ customer }) => customer)].map(([name, all]) => ({
    name: name ?? 'not known',
    count: all.reduce((sum, { count }) => sum + count, 0),
  }));
  return {
    carrier,
    dueAt,
    ...counts,
    customers: customers.sort((a, b) => b.count - a.count),
    misses: missesOf(group, pace, { carrier, leftMs: dueAt === null ? 0 : dueAt - now }),
  };
}
