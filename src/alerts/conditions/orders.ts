import { sql } from 'kysely';
import { type AccountCount, countByAccount } from '../../store/bounded-count.ts';
import { attentionIs } from '../../store/tables/attention.ts';
import { isDue, isDueAndOpen } from '../../store/tables/deadlines.ts';
import { listPath, nameAccount, type Search } from './search.ts';

type Filter = Readonly<Record<string, string>>;

/** Returns one digest for each account, or customer. */
const digest = (counts: readonly AccountCount[], filter: Filter, because: (since: number) => string | null) =>
  counts.map(({ tenant, customerId, count, isMore, since }) => ({
    about: nameAccount({ tenant, customerId }),
    ...{ count, isMore, since },
    because: because(since),
    path: listPath({ ...filter, tenant, customer: customerId }),
  }));

/** Finds the orders that have been in their stage for longer than its limit. */
export const findStalled: Search = async ({ reads, byCustomer }) =>
  digest(
    await countByAccount(reads, { first: attentionIs.stalled, column: 'stage_since', byCustomer }),
    { attention: 'stalled' },
    () => null,
  );

/** Finds the open subjects whose time is over. */
export const findOverdue: Search = async ({ reads, byCustomer, now }) =>
  digest(
    await countByAccount(reads, {
      first: sql`${isDueAndOpen} and ${isDue.overdue(now)}`,
      column: 'due_at',
      byCustomer,
    }),
    { due: 'overdue', sort: 'due' },
    (since) => `the first was due ${at(since)}`,
  );

/** Finds the open subjects that are due soon, among those that are due next. */
export const findAtRisk: Search = async ({ reads, byCustomer, now }) => {
  const first = sql`${isDueAndOpen} and due_at > ${now}`;
  const then = sql`at_risk_at <= ${now}`;
  const counts = await countByAccount(reads, { first, then, column: 'due_at', byCustomer });
  const found = digest(counts, { due: 'atRisk', sort: 'due' }, (since) => `the first is due ${at(since)}`);
  // When they are due is still to come.
  return found.map((it) => ({ ...it, since: null }));
};

const at = (time: number): string => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
