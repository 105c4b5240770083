import { type RawBuilder, sql } from 'kysely';
import { countThings, nameCustomers } from '../../domain/health/incident.ts';
import { needsAttention } from '../../subjects/tables/attention.ts';
import { isDue, isDueAndOpen } from '../../subjects/tables/deadlines.ts';
import { atRiskAt, type CustomerRow, type HeldUp, sumUp } from '../customers.ts';
import { clockTime, type Find, listPath, type Sources } from '../sources.ts';

/** Subjects that are read of one condition, those of all accounts together. */
const READ = 2000;

/** Subjects of one account that meet a condition, with the first value of a column. */
interface Digest extends HeldUp {
  readonly tenant: string;
  readonly first: number;
}

/** Counts by account the subjects that meet a condition among the first of a column. */
async function digest(
  { reads, now }: Sources,
  {
    among,
    holds = sql`1 = 1`,
    column,
  }: {
    /** Condition of the index by the column. */
    readonly among: RawBuilder<unknown>;
    /** Condition of those that are meant. */
    readonly holds?: RawBuilder<unknown>;
    readonly column: 'due_at' | 'stage_since';
  },
): Promise<readonly Digest[]> {
  const { rows } = await sql<CustomerRow & { atRisk: number; first: number; held: number }>`
    select tenant, customer_id as id, held, count(*) as count, ${atRiskAt(now)} as "atRisk", min(at) as first from (
      select tenant, customer_id, at_risk_at, due_at, ${sql.ref(column)} as at, case when ${holds} then 1 else 0 end as held
      from ${sql.table('subjects')} where ${among} order by ${sql.ref(column)} limit ${READ}) as read
    group by tenant, customer_id, held order by tenant, customer_id`.execute(reads);
  const all = rows.map((it) => ({ ...it, count: Number(it.count), atRisk: Number(it.atRisk) }));
  const meant = all.filter(({ held }) => held === 1);
  const isMore = all.reduce((sum, { count }) => sum + count, 0) >= READ;
  const each = await sumUp(reads, meant, isMore);
  return [...each].map(([tenant, held]) => ({
    ...held,
    tenant,
    first: Math.min(...meant.filter((it) => it.tenant === tenant).map(({ first }) => first)),
  }));
}

/** Finds the orders that have been in their stage for longer than its limit. */
export const findStalled: Find = async (sources) => {
  const each = await digest(sources, { among: needsAttention, holds: sql`stalled = 1`, column: 'stage_since' });
  return each.map(({ tenant, first, ...held }) => ({
    place: tenant,
    title: `${orders(held)} of warehouse ${tenant} ${are(held)} in ${held.count === 1 ? 'its' : 'their'} stage for too long${whose(held)}`,
    ended: `no order of warehouse ${tenant} is in its stage for too long`,
    ...held,
    unit: 'order',
    since: first,
    path: listPath({ attention: 'stalled', tenant }),
  }));
};

/** Finds the open subjects whose time is over. */
export const findOverdue: Find = async (sources) => {
  const among = sql`${isDueAndOpen} and ${isDue.overdue(sources.now)}`;
  const each = await digest(sources, { among, column: 'due_at' });
  return each.map(({ tenant, first, ...held }) => ({
    place: tenant,
    title: `${orders(held)} of warehouse ${tenant} ${are(held)} overdue${whose(held)}`,
    ended: `no order of warehouse ${tenant} is overdue`,
    ...held,
    unit: 'order',
    since: first,
    because: `the first was due ${clockTime(first, sources)}`,
    path: listPath({ due: 'overdue', sort: 'due', tenant }),
  }));
};

/** Finds the open subjects that are due soon, among those that are due next. */
export const findAtRisk: Find = async (sources) => {
  const { now } = sources;
  const among = sql`${isDueAndOpen} and due_at > ${now}`;
  const each = await digest(sources, { among, holds: sql`at_risk_at <= ${now}`, column: 'due_at' });
  return each.map(({ tenant, first, ...held }) => ({
    place: tenant,
    title: `${orders(held)} of warehouse ${tenant} may miss ${deadline(first, sources)}${whose(held)}`,
    ended: `no order of warehouse ${tenant} is at risk`,
    ...held,
    unit: 'order',
    // When they are due is still to come.
    since: null,
    because: `the first is due ${clockTime(first, sources)}`,
    path: listPath({ due: 'atRisk', sort: 'due', tenant }),
  }));
};

const orders = (held: HeldUp): string => countThings({ ...held, unit: 'order' });

const are = ({ count }: HeldUp): string => (count === 1 ? 'is' : 'are');

const whose = ({ customers }: HeldUp): string =>
  customers.some(({ id }) => id !== null) ? ` (${nameCustomers(customers)})` : '';

/** Names a deadline by its clock: `today's 10:35 PM CST truck`. */
function deadline(at: number, sources: Sources): string {
  const time = clockTime(at, sources);
  return time.includes(',') ? `the truck of ${time}` : `today's ${time} truck`;
}
