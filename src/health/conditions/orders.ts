import { type Kysely, type RawBuilder, sql } from 'kysely';
import { countThings, nameCustomers } from '../../domain/health/incident.ts';
import type { Database } from '../../store/schema.ts';
import { attentionIs } from '../../store/tables/attention.ts';
import { isDue, isDueAndOpen } from '../../store/tables/deadlines.ts';
import { countHeldUp, type HeldUp } from '../customers.ts';
import { clockTime, type Find, listPath, type Sources } from '../sources.ts';

/** Accounts that are looked at. */
const TENANTS = 100;

/** Subjects of one account that meet a condition, with the first value of a column. */
interface Digest extends HeldUp {
  readonly tenant: string;
  readonly first: number;
}

/** Counts subjects by account. */
async function digest(
  { reads, now }: Sources,
  { condition, column }: { readonly condition: RawBuilder<unknown>; readonly column: 'due_at' | 'stage_since' },
): Promise<readonly Digest[]> {
  const firsts = await findFirsts(reads, condition, column);
  return await Array.fromAsync(firsts, async ({ tenant, first }) => ({
    tenant,
    first,
    ...(await countHeldUp(reads, { tenant, condition, column, now })),
  }));
}

/** Finds the accounts that have any among the first ones of a column. */
async function findFirsts(reads: Kysely<Database>, condition: RawBuilder<unknown>, column: 'due_at' | 'stage_since') {
  const { rows } = await sql<{ tenant: string; first: number }>`
    select tenant, min(at) as first from (
      select tenant, ${sql.ref(column)} as at from ${sql.table('subjects')} where ${condition}
      order by ${sql.ref(column)} limit ${READ}) as first
    group by tenant order by tenant limit ${TENANTS}`.execute(reads);
  return rows;
}

/** Subjects among which the accounts are found. */
const READ = 10_000;

/** Finds the orders that have been in their stage for longer than its limit. */
export const findStalled: Find = async (sources) => {
  const each = await digest(sources, { condition: attentionIs.stalled, column: 'stage_since' });
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
  const condition = sql`${isDueAndOpen} and ${isDue.overdue(sources.now)}`;
  const each = await digest(sources, { condition, column: 'due_at' });
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
  const condition = sql`${isDueAndOpen} and due_at > ${now} and at_risk_at <= ${now}`;
  const each = await digest(sources, { condition, column: 'due_at' });
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

/** Names a deadline by its clock: `today's 10:35 PM truck`. */
function deadline(at: number, sources: Sources): string {
  const time = clockTime(at, sources);
  return time.includes(',') ? `the truck of ${time}` : `today's ${time} truck`;
}
