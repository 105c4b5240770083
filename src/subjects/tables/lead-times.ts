import { hash } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { SubjectRef, TimedKind } from '../../domain/catalogue/subject.ts';
import type { Deadline } from '../../domain/deadlines/deadline.ts';
import type { ShippedOrder } from '../../domain/deadlines/forecast.ts';
import { exact } from '../../domain/kinds/section.ts';
import type { SavedSubject } from '../../domain/lifecycle/attention.ts';
import {
  closingOf,
  type LeadGroup,
  type leadGroupings,
  leadSteps,
  leadTime,
} from '../../domain/lifecycle/lead-times.ts';
import { deleteRows, putRows, rowsOf } from '../../store/rows.ts';
import { type Database, subjectColumns } from '../../store/schema.ts';
import { findCustomerName } from './subject-search.ts';

/** Into which subjects are divided. */
const SAMPLES = 64;

/** Medians come from about so many subjects. */
const READ = 4_000;

/** Also removes those of a subject that is not closed any more. */
export async function saveLeadTimes(
  transaction: Transaction<Database>,
  subject: SubjectRef,
  { before, after }: { readonly before: SavedSubject | undefined; readonly after: SavedSubject },
): Promise<void> {
  const known = before && rowOf(subject, before);
  const row = rowOf(subject, after);
  if (JSON.stringify(known) === JSON.stringify(row)) return;
  const key = { ...subjectColumns(subject), kind: subject.kind as TimedKind };
  await (row
    ? putRows(transaction, 'lead_times', { ...key, ...row })
    : deleteRows(transaction, 'lead_times', key)
  ).execute();
}

function rowOf({ kind, id }: SubjectRef, { lifecycle, customerId, facts, deadline }: SavedSubject) {
  const closing = closingOf(kind, lifecycle);
  if (!closing) return undefined;
  const { shippedAt: closedAt, waited } = closing;
  return {
    customer_id: customerId ?? null,
    facility_id: lifecycle.snapshot?.facilityId ?? null,
    carrier: facts?.carrier ?? null,
    closed_at: closedAt,
    sample: hash('md5', id, 'buffer').readUInt8() % SAMPLES,
    due_at: deadline?.dueAt ?? null,
    notified_at: deadline ? notifiedAt(deadline, closedAt) : null,
    waited: JSON.stringify(waited),
  };
}

/** Null if that was when it was due. */
function notifiedAt({ dueAt, atRiskAt, notifiedAt, forecast }: Deadline, closedAt: number): number | null {
  const at = notifiedAt ?? (forecast ? undefined : atRiskAt);
  return at !== undefined && at < Math.min(dueAt, closedAt) ? at : null;
}

/** `since` is inclusive. */
export type LeadQuery = Readonly<Record<'since' | 'until', number>> & { readonly kind: TimedKind } & {
  readonly [Name in 'customer' | 'facility' | 'carrier' | 'tenant']?: string | undefined;
};

export type LeadGrouping = (typeof leadGroupings)[number];

type GroupRead = LeadGroup & { readonly example: Pick<SubjectRef, 'tenant' | 'id'> };

const GROUPS = 100;

type Closed = Awaited<ReturnType<typeof readClosed>>['rows'][number];

/** Of many subjects it reads a random sample: `share` is the part that was read. */
export async function readClosed(reads: Kysely<Database>, query: LeadQuery) {
  const { kind, since, until, customer: customer_id, facility: facility_id, carrier, tenant } = query;
  const closed = rowsOf(reads, 'lead_times', exact({ kind, customer_id, facility_id, carrier, tenant }))
    .where('closed_at', '>=', since)
    .where('closed_at', '<', until);
  const first = await closed
    .where('sample', '=', 0)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const samples = Math.max(1, Math.min(SAMPLES, Math.floor(READ / Math.max(1, first.count))));
  // A sample that is too large is reduced to some seconds.
  const seconds = Math.max(1, Math.round(first.count / READ));
  const rows = await closed
    .select(['tenant', 'subject_id as id', 'customer_id as customer', 'facility_id as facility', 'carrier', 'waited'])
    .select(['closed_at as shippedAt', 'due_at as dueAt', 'notified_at as notifiedAt'])
    // A range of samples, read from one part of the index.
    .where('sample', '<', samples)
    .where(sql<boolean>`(closed_at / 1000) % ${sql.lit(seconds)} = 0`)
    .execute();
  const parsed = rows.map((row) => ({ ...row, waited: JSON.parse(row.waited) as ShippedOrder['waited'] }));
  return { rows: parsed, share: samples / SAMPLES / seconds };
}

function groupOf(row: Closed, grouping: LeadGrouping): string | null {
  if (grouping === 'all') return null;
  return grouping === 'day' ? new Date(row.shippedAt).toISOString().slice(0, 10) : row[grouping];
}

/** Most subjects first, or by day. Counts are estimates for all. */
export function groupClosed(
  { rows, share }: { readonly rows: readonly Closed[]; readonly share: number },
  grouping: LeadGrouping,
): readonly GroupRead[] {
  const estimate = (count: number) => Math.round(count / share);
  const groups = [...Map.groupBy(rows, (row) => groupOf(row, grouping))].map(([group, of]) => {
    const [example] = of as [Closed];
    const withDeadline = of.filter(({ dueAt }) => dueAt !== null);
    const steps = leadSteps.flatMap((step) => {
      const sorted = of.flatMap((row) => leadTime(step, row) ?? []).sort((a, b) => a - b);
      const at = (part: number) => sorted[Math.ceil(sorted.length * part) - 1] ?? 0;
      return sorted.length > 0 ? [[step, { count: estimate(sorted.length), medianMs: at(0.5), p90Ms: at(0.9) }]] : [];
    });
    return {
      ...{ group, example, closed: estimate(of.length), withDeadline: estimate(withDeadline.length) },
      onTime: estimate(withDeadline.filter((it) => !isLate(it)).length),
      notified: scorecardOf(withDeadline, estimate),
      steps: Object.fromEntries(steps) as LeadGroup['steps'],
    };
  });
  return grouping === 'day'
    ? groups.sort((a, b) => ((a.group ?? '') < (b.group ?? '') ? -1 : 1)).slice(-GROUPS)
    : groups.sort((a, b) => b.closed - a.closed).slice(0, GROUPS);
}

export async function nameOf(
  reads: Kysely<Database>,
  { by, kind }: Pick<LeadQuery, 'kind'> & { readonly by: LeadGrouping },
  { group, example: { tenant, id } }: GroupRead,
): Promise<string | null> {
  // Of its own record the customer's name may be gone.
  if (by === 'customer') return group === null ? null : await findCustomerName(reads, tenant, group);
  if (by !== 'facility') return null;
  const subject = rowsOf(reads, 'subjects', subjectColumns({ tenant, kind, id })).select('lifecycle');
  const { snapshot } = JSON.parse((await subject.executeTakeFirst())?.lifecycle ?? '{}');
  return snapshot?.facilityName ?? null;
}

const isLate = ({ dueAt, shippedAt }: Closed): boolean => dueAt !== null && shippedAt > dueAt;

function scorecardOf(rows: readonly Closed[], estimate: (count: number) => number): LeadGroup['notified'] {
  const late = rows.filter(isLate);
  const notified = rows.filter(({ notifiedAt }) => notifiedAt !== null);
  const ahead = notified.filter(isLate).map(({ dueAt, notifiedAt }) => (dueAt ?? 0) - (notifiedAt ?? 0));
  return {
    count: estimate(notified.length),
    late: estimate(ahead.length),
    unheard: estimate(late.length - ahead.length),
    aheadMs: ahead.sort((a, b) => a - b)[ahead.length >> 1] ?? 0,
  };
}
