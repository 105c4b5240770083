import { hash } from 'node:crypto';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { SubjectRef, TimedKind } from '../../domain/catalogue/subject.ts';
import type { Deadline } from '../../domain/deadlines/deadline.ts';
import type { ShippedOrder } from '../../domain/deadlines/forecast.ts';
import { mainKind } from '../../domain/kinds/kinds.ts';
import type { SavedSubject } from '../../domain/lifecycle/attention.ts';
import { type LeadGroup, type leadGroupings, leadSteps, leadTimesOf } from '../../domain/lifecycle/lead-times.ts';
import { deleteRows, putRows, rowsOf } from '../../store/rows.ts';
import { type Database, subjectColumns } from '../../store/schema.ts';

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
  const times = leadTimesOf(kind, lifecycle);
  if (!times) return undefined;
  const { closedAt, steps } = times;
  return {
    customer_id: customerId ?? null,
    facility_id: lifecycle.snapshot?.facilityId ?? null,
    carrier: facts?.carrier ?? null,
    closed_at: closedAt,
    sample: hash('md5', id, 'buffer').readUInt8() % SAMPLES,
    due_at: deadline?.dueAt ?? null,
    rule_at: deadline?.ruleAt ?? null,
    told_at: deadline ? toldAt(deadline, closedAt) : null,
    allocated_ms: steps.allocated ?? null,
    picked_ms: steps.picked ?? null,
    packed_ms: steps.packed ?? null,
    shipped_ms: steps.shipped ?? null,
    whole_ms: steps.whole ?? null,
  };
}

/** Null if that was when it was due. */
function toldAt({ dueAt, atRiskAt, toldAt, forecast }: Deadline, closedAt: number): number | null {
  const at = toldAt ?? (forecast ? undefined : atRiskAt);
  return at !== undefined && at < Math.min(dueAt, closedAt) ? at : null;
}

/** `since` is inclusive. */
export type LeadQuery = Readonly<Record<'since' | 'until', number>> & { readonly kind: TimedKind } & {
  readonly [Name in 'customer' | 'facility' | 'carrier' | 'tenant']?: string | undefined;
};

export type LeadGrouping = (typeof leadGroupings)[number];

/** With one of its subjects. */
type GroupRead = LeadGroup & { readonly example: Pick<SubjectRef, 'tenant' | 'id'> };

const GROUPS = 100;

type LeadTimeRow = Pick<Database['lead_times'], (typeof readColumns)[number]>;

const readColumns = [
  ...(['tenant', 'subject_id', 'customer_id', 'facility_id', 'carrier', 'closed_at'] as const),
  ...(['due_at', 'rule_at', 'told_at'] as const),
  ...(['allocated_ms', 'picked_ms', 'packed_ms', 'shipped_ms', 'whole_ms'] as const),
] as const;

interface LeadTimesRead {
  /** Share of subjects that were read. */
  readonly share: number;
  /** Most subjects first, or by day. Counts are estimates for all. */
  by(grouping: LeadGrouping): readonly GroupRead[];
}

/** Once for all groupings. Of many subjects it reads a random sample. */
export async function readLeadTimes(reads: Kysely<Database>, query: LeadQuery): Promise<LeadTimesRead> {
  const { rows, share } = await readSample(reads, query);
  return { share, by: (grouping) => groupRows(rows, grouping, share) };
}

async function readSample(reads: Kysely<Database>, query: LeadQuery) {
  const first = await rowsOf(reads, 'lead_times', { sample: 0 })
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(conditionsOf(query))
    .executeTakeFirstOrThrow();
  const samples = Math.max(1, Math.min(SAMPLES, Math.floor(READ / Math.max(1, first.count))));
  // A sample that is too large is reduced to some seconds.
  const seconds = Math.max(1, Math.round(first.count / READ));
  const rows = await reads
    .selectFrom('lead_times')
    .select(readColumns)
    // A range of samples, read from one part of the index.
    .where('sample', '<', samples)
    .where(sql<boolean>`(closed_at / 1000) % ${sql.lit(seconds)} = 0`)
    .where(conditionsOf(query))
    .execute();
  return { rows, share: samples / SAMPLES / seconds };
}

const groupOf = {
  all: () => null,
  customer: ({ customer_id }) => customer_id,
  facility: ({ facility_id }) => facility_id,
  carrier: ({ carrier }) => carrier,
  day: ({ closed_at }) => new Date(closed_at).toISOString().slice(0, 10),
} as const satisfies Record<LeadGrouping, (row: LeadTimeRow) => string | null>;

function groupRows(rows: readonly LeadTimeRow[], grouping: LeadGrouping, share: number): readonly GroupRead[] {
  const estimate = (count: number) => Math.round(count / share);
  const groups = [...Map.groupBy(rows, groupOf[grouping])].flatMap(([group, of]): GroupRead[] => {
    const [first] = of;
    if (!first) return [];
    const withDeadline = of.filter(({ due_at }) => due_at !== null);
    const steps = leadSteps.flatMap((step) => {
      const sorted = of.flatMap((row) => row[`${step}_ms`] ?? []).sort((a, b) => a - b);
      const at = (part: number) => sorted[Math.ceil(sorted.length * part) - 1] ?? 0;
      return sorted.length > 0 ? [[step, { count: estimate(sorted.length), median: at(0.5), p90: at(0.9) }]] : [];
    });
    return [
      {
        group,
        example: { tenant: first.tenant, id: first.subject_id },
        closed: estimate(of.length),
        withDeadline: estimate(withDeadline.length),
        onTime: estimate(withDeadline.length - withDeadline.filter(isLate).length),
        told: scorecardOf(withDeadline, estimate),
        steps: Object.fromEntries(steps),
      },
    ];
  });
  return grouping === 'day'
    ? groups.sort((a, b) => ((a.group ?? '') < (b.group ?? '') ? -1 : 1)).slice(-GROUPS)
    : groups.sort((a, b) => b.closed - a.closed).slice(0, GROUPS);
}

const isLate = ({ due_at, closed_at }: LeadTimeRow): boolean => due_at !== null && closed_at > due_at;

function scorecardOf(rows: readonly LeadTimeRow[], estimate: (count: number) => number): LeadGroup['told'] {
  const late = rows.filter(isLate);
  const isTold = ({ told_at }: LeadTimeRow) => told_at !== null;
  const byRule = rows.filter(({ rule_at, due_at, closed_at }) => (rule_at ?? 0) < Math.min(due_at ?? 0, closed_at));
  const ahead = late.flatMap(({ due_at, told_at }) => (told_at === null ? [] : [(due_at ?? 0) - told_at]));
  return {
    count: estimate(rows.filter(isTold).length),
    late: estimate(late.filter(isTold).length),
    unheard: estimate(late.length - late.filter(isTold).length),
    aheadMs: ahead.sort((a, b) => a - b)[ahead.length >> 1] ?? 0,
    byRule: estimate(byRule.length),
    lateByRule: estimate(byRule.filter(isLate).length),
  };
}

/** Experience for forecasts, perhaps a part of it. */
export async function readShipped(
  reads: Kysely<Database>,
  { since, until }: Pick<LeadQuery, 'since' | 'until'>,
): Promise<{ readonly share: number; readonly shipped: readonly ShippedOrder[] }> {
  const { rows, share } = await readSample(reads, { kind: mainKind, since, until });
  return { share, shipped: rows.map(toShipped) };
}

function toShipped(row: LeadTimeRow): ShippedOrder {
  const { closed_at, whole_ms, allocated_ms, picked_ms, packed_ms, shipped_ms } = row;
  const sum = (from: number | undefined, ms: number | null) =>
    from === undefined || ms === null ? undefined : from + ms;
  const allocate = sum(closed_at, whole_ms === null ? null : -whole_ms);
  const pick = sum(allocate, allocated_ms);
  const ship = sum(closed_at, shipped_ms === null ? null : -shipped_ms);
  const pack = sum(pick, picked_ms) ?? sum(ship, packed_ms === null ? null : -packed_ms);
  const waited = { allocate, pick, pack, ship };
  return {
    ...{ tenant: row.tenant, facility: row.facility_id, carrier: row.carrier, dueAt: row.due_at, shippedAt: closed_at },
    waited: Object.fromEntries(Object.entries(waited).filter(([, at]) => at !== undefined)),
  };
}

function conditionsOf({ kind, since, until, customer, facility, carrier, tenant }: LeadQuery): RawBuilder<boolean> {
  const given = { customer_id: customer, facility_id: facility, carrier, tenant };
  const equal = Object.entries(given).flatMap(([column, value]) =>
    value === undefined ? [] : [sql` and ${sql.ref(column)} = ${value}`],
  );
  return sql<boolean>`kind = ${kind} and closed_at >= ${since} and closed_at < ${until}${sql.join(equal, sql``)}`;
}
