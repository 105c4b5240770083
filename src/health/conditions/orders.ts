import { type RawBuilder, sql } from 'kysely';
import { clockTime } from '../../base/moment.ts';
import { countThings, type Found, nameCustomers } from '../../domain/health/incident.ts';
import { mainKind } from '../../domain/kinds/kinds.ts';
import { rowsOf } from '../../store/rows.ts';
import { needsAttention } from '../../store/unfinished.ts';
import { isDue, isDueAndOpen, isEndangered } from '../../subjects/tables/deadlines.ts';
import { type CustomerRow, sumEndangered, sumUp } from '../customers.ts';
import { type Find, listPath, type Searches, type Sources } from '../sources.ts';

/** Of one condition, all accounts together. */
const READ = 2000;

type Digest = Awaited<ReturnType<typeof digest>>[number];

interface Search {
  /** Of the index by the column. */
  readonly among: RawBuilder<unknown>;
  readonly holds?: RawBuilder<unknown>;
  readonly column: 'due_at' | 'stage_since';
}

type Row = CustomerRow & Readonly<Record<'first' | 'last' | 'held', number>> & { readonly zone: string | null };

/** By account, among the first of a column, with its first and last value. */
async function digest(sources: Sources, { among, holds = sql`1 = 1`, column }: Search) {
  const { reads, now, timeZone } = sources;
  const { rows } = await sql<Row>`
    select tenant, customer_id as id, held, count(*) as count, ${sumEndangered(now)} as "atRisk", min(at) as first, max(at) as last,
      min(due_zone) as zone
    from (
      select tenant, customer_id, at_risk_at, due_at, due_zone, ${sql.ref(column)} as at, case when ${holds} then 1 else 0 end as held
      from ${sql.table('subjects')} where ${among} order by ${sql.ref(column)} limit ${READ}) as read
    group by tenant, customer_id, held order by tenant, customer_id`.execute(reads);
  const all = rows.map((it) => ({ ...it, count: Number(it.count), atRisk: Number(it.atRisk) }));
  const meant = all.filter(({ held }) => held === 1);
  const isMore = all.reduce((sum, { count }) => sum + count, 0) >= READ;
  const each = await sumUp(reads, meant, isMore);
  return [...each].map(([tenant, held]) => {
    const own = meant.filter((it) => it.tenant === tenant);
    return {
      ...held,
      tenant,
      zone: own.find(({ zone }) => zone !== null)?.zone ?? timeZone,
      first: Math.min(...own.map(({ first }) => first)),
      last: Math.max(...own.map(({ last }) => last)),
    };
  });
}

interface Told extends Pick<Found, 'since' | 'sort' | 'named' | 'because'> {
  readonly what: string;
  readonly filter: Readonly<Record<string, string>>;
}

/** `ended` is a sentence that is true of none. */
const searchFor =
  (
    search: (sources: Sources) => Search,
    ended: string,
    tell: (of: Digest, sources: Sources) => Promise<Told> | Told,
  ): Find =>
  async (sources) =>
    await Promise.all(
      (await digest(sources, search(sources))).map(async (of) => {
        const { first: _, last: __, zone: ___, tenant, ...held } = of;
        const { what, filter, ...told } = await tell(of, sources);
        const counted = countThings({ ...held, unit: mainKind });
        const whose = held.customers.some(({ id }) => id !== null) ? ` (${nameCustomers(held.customers)})` : '';
        return {
          ...held,
          ...told,
          place: tenant,
          unit: mainKind,
          title: `${counted} of warehouse ${tenant} ${what}${whose}`,
          ended: `no order of warehouse ${tenant} ${ended}`,
          path: listPath({ ...filter, tenant }),
        };
      }),
    );

const NAMED = 5;

/** What will miss its truck is told once more then, unless it was named before. */
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
    ({ count, first }) => ({
      what: count === 1 ? 'is in its stage for too long' : 'are in their stage for too long',
      since: first,
      filter: { attention: 'stalled' },
    }),
  ),

  overdue: searchFor(
    ({ now }) => ({ among: sql`${isDueAndOpen} and ${isDue.overdue(now)}`, column: 'due_at' }),
    'is overdue',
    ({ count, first, zone }, { now }) => ({
      what: count === 1 ? 'is overdue' : 'are overdue',
      since: first,
      filter: { due: 'overdue', sort: 'due' },
      because: `the first was due ${clockTime(first, { now, timeZone: zone })}`,
    }),
  ),

  /** Of those due next: `3 orders of warehouse 9104 will probably miss today's 5:00 PM CST truck`. */
  'at-risk': searchFor(
    ({ now }) => ({ among: sql`${isDueAndOpen} and due_at > ${now}`, holds: isEndangered(now), column: 'due_at' }),
    'is at risk',
    async ({ tenant, first, last, zone }, { reads, now }) => {
      const rows = await rowsOf(reads, 'subjects', { tenant })
        .select(['subject_id', 'reference_number', 'expected_at'])
        .where(isDueAndOpen)
        .where(isEndangered(now))
        .orderBy('due_at')
        .limit(NAMED + 1)
        .execute();
      const shown = rows.slice(0, NAMED);
      const others = rows.length > NAMED ? ' and others' : '';
      const names = shown.map(({ subject_id, reference_number, expected_at: at }) => {
        const expected = at === null ? '' : ` expected ${clockTime(at, { now, timeZone: zone, namesZone: false })}`;
        return `${reference_number ?? subject_id}${expected}`;
      });
      const isForecast = rows.some(({ expected_at }) => expected_at !== null);
      return {
        filter: { due: isForecast ? 'willMiss' : 'atRisk', sort: 'due' },
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
