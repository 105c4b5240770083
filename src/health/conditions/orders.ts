import { type RawBuilder, type Selectable, sql } from 'kysely';
import { listAddress } from '../../admin/board/addresses.ts';
import { clockTime } from '../../base/moment.ts';
import { countThings, type Found, nameCustomers } from '../../domain/health/incident.ts';
import { mainKind } from '../../domain/kinds/kinds.ts';
import type { Database } from '../../store/schema.ts';
import { needsAttention } from '../../store/subjects.ts';
import { isDue, isDueAndOpen, isEndangered } from '../../subjects/tables/deadlines.ts';
import { type CustomerRow, type Find, type Searches, type Sources, sumUp } from '../sources.ts';

const READ = 2000;

type Digest = Awaited<ReturnType<typeof digest>>[number];

interface Search {
  readonly among: RawBuilder<unknown>;
  readonly holds?: RawBuilder<unknown>;
  readonly column: 'due_at' | 'stage_since';
}

type Row = Omit<CustomerRow, 'count'> &
  Readonly<Record<'at' | 'seen' | 'atRisk', number>> &
  Pick<Selectable<Database['subjects']>, 'subject_id' | 'reference_number' | 'due_zone' | 'expected_at'>;

/** By account, with its orders among the first of a column. */
async function digest({ reads, now, timeZone }: Sources, { among, holds = sql`1 = 1`, column }: Search) {
  const { rows } = await sql<Row>`
    with seen as (
      select tenant, customer_id as id, subject_id, reference_number, stalled, due_at, due_zone, at_risk_at, expected_at, ${sql.ref(column)} as at
      from ${sql.table('subjects')} where ${among} order by ${sql.ref(column)} limit ${READ})
    select seen.*, case when ${isEndangered(now)} then 1 else 0 end as "atRisk", (select count(*) from seen) as seen
    from seen where ${holds} order by at, subject_id`.execute(reads);
  const customers = [...Map.groupBy(rows, ({ tenant, id }) => JSON.stringify([tenant, id])).values()].map((of) => ({
    ...(of[0] as Row),
    count: of.length,
    atRisk: of.reduce((sum, { atRisk }) => sum + atRisk, 0),
  }));
  const each = await sumUp(reads, customers, Number(rows[0]?.seen) >= READ);
  return [...each].map(([tenant, held]) => {
    const orders = rows.filter((it) => it.tenant === tenant);
    const zone = orders.find((it) => it.due_zone !== null)?.due_zone ?? timeZone;
    return { tenant, held, orders, first: orders[0]?.at ?? now, last: orders.at(-1)?.at ?? now, zone };
  });
}

interface Description extends Pick<Found, 'since' | 'sort' | 'named' | 'because'> {
  readonly what: string;
  readonly filter: Readonly<Record<string, string>>;
}

/** `ended` is a sentence that is true of none. */
const searchFor =
  (
    search: (sources: Sources) => Search,
    ended: string,
    describe: (of: Digest, sources: Sources) => Description,
  ): Find =>
  async (sources) =>
    (await digest(sources, search(sources))).map((of) => {
      const { tenant, held } = of;
      const { what, filter, ...description } = describe(of, sources);
      const counted = countThings({ ...held, unit: mainKind });
      const whose = held.customers.some(({ id }) => id !== null) ? ` (${nameCustomers(held.customers)})` : '';
      return {
        ...held,
        ...description,
        place: tenant,
        unit: mainKind,
        title: `${counted} of warehouse ${tenant} ${what}${whose}`,
        ended: `no order of warehouse ${tenant} ${ended}`,
        path: listAddress('/board/subjects', { ...filter, tenant }),
      };
    });

const NAMED = 5;

/** Time before a truck leaves at which orders that will miss it are named once more, unless they were before. */
const LAST_CALL_MS = 1_800_000;

/** `today's 10:35 PM CST truck`. */
function truckOf(first: number, last: number, time: string): string {
  if (last !== first) return `their trucks, the first at ${time}`;
  return time.includes(',') ? `the truck of ${time}` : `today's ${time} truck`;
}

export const ofOrders = {
  stalled: searchFor(
    () => ({ among: needsAttention, holds: sql`stalled = 1`, column: 'stage_since' }),
    'is in its stage for too long',
    ({ held: { count }, first }) => ({
      what: count === 1 ? 'is in its stage for too long' : 'are in their stage for too long',
      since: first,
      filter: { attention: 'stalled' },
    }),
  ),

  overdue: searchFor(
    ({ now }) => ({ among: sql`${isDueAndOpen} and ${isDue.overdue(now)}`, column: 'due_at' }),
    'is overdue',
    ({ held: { count }, first, zone }, { now }) => ({
      what: count === 1 ? 'is overdue' : 'are overdue',
      since: first,
      filter: { due: 'overdue' },
      because: `the first was due ${clockTime(first, { now, timeZone: zone })}`,
    }),
  ),

  /** Of those due next: `3 orders of warehouse 9104 will probably miss today's 5:00 PM CST truck`. */
  'at-risk': searchFor(
    ({ now }) => ({ among: sql`${isDueAndOpen} and due_at > ${now}`, holds: isEndangered(now), column: 'due_at' }),
    'is at risk',
    ({ orders, first, last, zone }, { now }) => {
      const shown = orders.slice(0, NAMED);
      const others = orders.length > NAMED ? ' and others' : '';
      const names = shown.map(({ subject_id, reference_number, expected_at: at }) => {
        const expected = at === null ? '' : ` expected ${clockTime(at, { now, timeZone: zone, namesZone: false })}`;
        return `${reference_number ?? subject_id}${expected}`;
      });
      const isForecast = orders.some(({ expected_at }) => expected_at !== null);
      return {
        filter: { due: isForecast ? 'willMiss' : 'atRisk' },
        what: `${isForecast ? 'will probably' : 'may'} miss ${truckOf(first, last, clockTime(first, { now, timeZone: zone }))}`,
        // When they are due is still to come.
        since: null,
        sort: `${first}${first - now <= LAST_CALL_MS ? ' last call' : ''}`,
        named: `${first} ${shown.map((it) => it.subject_id)}${others}`,
        because: `${names.join(', ')}${others}`,
      };
    },
  ),
} satisfies Searches;
