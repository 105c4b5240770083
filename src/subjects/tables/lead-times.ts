import { hash } from 'node:crypto';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import type { SavedSubject } from '../../domain/lifecycle/attention.ts';
import { type LeadStep, leadSteps, leadTimesOf, type TimedKind } from '../../domain/lifecycle/lead-times.ts';
import { type Database, subjectColumns } from '../../store/schema.ts';

/** Number of the parts that a subject is one of. */
const SAMPLES = 64;

/** Number of subjects from which medians are computed; of more, a part is read that has about so many. */
const READ = 4_000;

/** Saves the lead times of a subject that is closed, and removes those of one that is not any more. */
export async function saveLeadTimes(
  transaction: Transaction<Database>,
  subject: SubjectRef,
  { before, after }: { readonly before: SavedSubject | undefined; readonly after: SavedSubject },
): Promise<void> {
  const known = before && rowOf(subject, before);
  const row = rowOf(subject, after);
  if (JSON.stringify(known) === JSON.stringify(row)) return;
  if (row)
    await transaction
      .insertInto('lead_times')
      .values({ ...subjectColumns(subject), kind: subject.kind as TimedKind, ...row })
      .onConflict((conflict) => conflict.columns(['tenant', 'kind', 'subject_id']).doUpdateSet(row))
      .execute();
  else
    await transaction
      .deleteFrom('lead_times')
      .where(({ and }) => and({ ...subjectColumns(subject), kind: subject.kind as TimedKind }))
      .execute();
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
    on_time: deadline ? Number(closedAt <= deadline.dueAt) : null,
    allocated_ms: steps.allocated ?? null,
    picked_ms: steps.picked ?? null,
    packed_ms: steps.packed ?? null,
    shipped_ms: steps.shipped ?? null,
    whole_ms: steps.whole ?? null,
  };
}

/** Ways to group lead times. */
export const leadGroups = ['all', 'customer', 'facility', 'carrier', 'day'] as const;

export type LeadGrouping = (typeof leadGroups)[number];

/** Query for lead times; times are in milliseconds since the epoch, the first one included. */
export interface LeadQuery {
  readonly kind: TimedKind;
  readonly since: number;
  readonly until: number;
  readonly customer?: string | undefined;
  readonly facility?: string | undefined;
  readonly carrier?: string | undefined;
  readonly tenant?: string | undefined;
}

/** Lead times of a group: its name, null for what has none. Durations are in milliseconds. */
export interface LeadGroup {
  readonly name: string | null;
  /** One of its subjects. */
  readonly example: Pick<SubjectRef, 'tenant' | 'id'>;
  readonly closed: number;
  /** Those with a deadline, and those of them that were in time. */
  readonly withDeadline: number;
  readonly onTime: number;
  readonly steps: {
    readonly [S in LeadStep]?: { readonly count: number; readonly median: number; readonly p90: number };
  };
}

/** Most groups that are told apart. */
const GROUPS = 100;

/** Row of a subject that is closed. */
type LeadTimeRow = Pick<Database['lead_times'], (typeof readColumns)[number]>;

const readColumns = [
  ...(['tenant', 'subject_id', 'customer_id', 'facility_id', 'carrier', 'closed_at', 'on_time'] as const),
  ...(['allocated_ms', 'picked_ms', 'packed_ms', 'shipped_ms', 'whole_ms'] as const),
] as const;

/** Reads of lead times. */
interface LeadTimesRead {
  /** Share of the subjects that were read: 1 for all of them. */
  readonly share: number;
  /** Returns the lead times of groups: those with most subjects first, or by day. Counts are those of all, estimated. */
  by(grouping: LeadGrouping): readonly LeadGroup[];
}

/** Reads lead times, once for all groupings. What it costs is bounded: of many subjects it reads some samples, drawn by chance. */
export async function readLeadTimes(reads: Kysely<Database>, query: LeadQuery): Promise<LeadTimesRead> {
  const first = await reads
    .selectFrom('lead_times')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('sample', '=', 0)
    .where(conditionsOf(query))
    .executeTakeFirstOrThrow();
  const samples = Math.max(1, Math.min(SAMPLES, Math.floor(READ / Math.max(1, first.count))));
  // Of a sample that has too many, those of every so many seconds.
  const seconds = Math.max(1, Math.round(first.count / READ));
  const rows = await reads
    .selectFrom('lead_times')
    .select(readColumns)
    // Of all samples a range, so that they are read from one part of the index.
    .where('sample', '<', samples)
    .where(sql<boolean>`(closed_at / 1000) % ${sql.lit(seconds)} = 0`)
    .where(conditionsOf(query))
    .execute();
  const share = samples / SAMPLES / seconds;
  return { share, by: (grouping) => groupRows(rows, grouping, share) };
}

const groupOf = {
  all: () => null,
  customer: ({ customer_id }) => customer_id,
  facility: ({ facility_id }) => facility_id,
  carrier: ({ carrier }) => carrier,
  day: ({ closed_at }) => new Date(closed_at).toISOString().slice(0, 10),
} as const satisfies Record<LeadGrouping, (row: LeadTimeRow) => string | null>;

function groupRows(rows: readonly LeadTimeRow[], grouping: LeadGrouping, share: number): readonly LeadGroup[] {
  const estimate = (count: number) => Math.round(count / share);
  const groups = [...Map.groupBy(rows, groupOf[grouping])].flatMap(([name, of]): LeadGroup[] => {
    const [first] = of;
    if (!first) return [];
    const withDeadline = of.filter(({ on_time }) => on_time !== null);
    const steps = leadSteps.flatMap((step) => {
      const sorted = of.flatMap((row) => row[`${step}_ms`] ?? []).sort((a, b) => a - b);
      const at = (part: number) => sorted[Math.ceil(sorted.length * part) - 1] ?? 0;
      return sorted.length > 0 ? [[step, { count: estimate(sorted.length), median: at(0.5), p90: at(0.9) }]] : [];
    });
    return [
      {
        name,
        example: { tenant: first.tenant, id: first.subject_id },
        closed: estimate(of.length),
        withDeadline: estimate(withDeadline.length),
        onTime: estimate(withDeadline.filter(({ on_time }) => on_time === 1).length),
        steps: Object.fromEntries(steps),
      },
    ];
  });
  return grouping === 'day'
    ? groups.sort((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1)).slice(-GROUPS)
    : groups.sort((a, b) => b.closed - a.closed).slice(0, GROUPS);
}

function conditionsOf({ kind, since, until, customer, facility, carrier, tenant }: LeadQuery): RawBuilder<boolean> {
  const given = { customer_id: customer, facility_id: facility, carrier, tenant };
  const equal = Object.entries(given).flatMap(([column, value]) =>
    value === undefined ? [] : [sql` and ${sql.ref(column)} = ${value}`],
  );
  return sql<boolean>`kind = ${kind} and closed_at >= ${since} and closed_at < ${until}${sql.join(equal, sql``)}`;
}
