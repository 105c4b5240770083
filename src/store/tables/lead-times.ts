import { hash } from 'node:crypto';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import type { SavedSubject } from '../../domain/lifecycle/attention.ts';
import { type LeadStep, leadSteps, leadTimesOf, type TimedKind } from '../../domain/lifecycle/lead-times.ts';
import { type Database, subjectColumns } from '../schema.ts';

/** Number of the parts that a subject is one of. */
const SAMPLES = 64;

/** Number of subjects from which medians are computed; of more, as many samples are read as have about so many. */
const READ = 20_000;

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

/** Query for lead times; times are in milliseconds since the epoch, the first one included. */
export interface LeadQuery {
  readonly kind: TimedKind;
  readonly by: (typeof leadGroups)[number];
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

/** Lead times of groups, those with most subjects first, or by day. */
export interface LeadAnswer {
  readonly groups: readonly LeadGroup[];
  /** Share of the subjects that were read: 1 for all of them; counts are those of all, estimated. */
  readonly share: number;
}

/** Most groups that are told apart. */
const GROUPS = 100;

/** Length of a day in UTC, in milliseconds. */
const DAY = 86_400_000;

const columns = {
  all: sql<null>`null`,
  customer: sql<string | null>`customer_id`,
  facility: sql<string | null>`facility_id`,
  carrier: sql<string | null>`carrier`,
  day: sql<number>`closed_at / ${sql.lit(DAY)}`,
} as const;

/** Reads lead times. What it costs is bounded: of many subjects it reads some samples, drawn by chance. */
export async function readLeadTimes(reads: Kysely<Database>, query: LeadQuery): Promise<LeadAnswer> {
  const first = await reads
    .selectFrom('lead_times')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(sql<boolean>`sample in (0)`)
    .where(conditionsOf(query))
    .executeTakeFirstOrThrow();
  const samples = Math.max(1, Math.min(SAMPLES, Math.floor(READ / Math.max(1, first.count))));
  const share = samples / SAMPLES;
  const numbers = Array.from({ length: samples }, (_, index) => index);
  const isRead = sql`sample in (${sql.join(numbers.map((it) => sql.lit(it)))}) and ${conditionsOf(query)}`;
  const name = columns[query.by];
  const estimate = (count: number) => Math.round(Number(count) / share);

  const counted = await sql<Counted>`
    select ${name} as name, min(tenant) as tenant, min(subject_id) as id, count(*) as closed, count(on_time) as due, coalesce(sum(on_time), 0) as kept
    from ${sql.table('lead_times')} where ${isRead} group by ${query.by === 'all' ? sql`kind` : name}
    order by ${query.by === 'day' ? name : sql`count(*)`} desc limit ${GROUPS}`.execute(reads);
  const measured = await sql<Measured>`
    with ranked as (select name, step, ms, row_number() over (partition by name, step order by ms) as place,
        count(*) over (partition by name, step) as count from (
      ${sql.join(
        leadSteps.map((step) => {
          const ms = sql.ref(`${step}_ms`);
          return sql`select ${name} as name, ${sql.lit(step)} as step, ${ms} as ms from ${sql.table('lead_times')} where ${isRead} and ${ms} is not null`;
        }),
        sql` union all `,
      )}) as durations)
    select name, step, max(count) as count, min(case when place * 2 >= count then ms end) as median,
      min(case when place * 10 >= count * 9 then ms end) as p90
    from ranked group by name, step`.execute(reads);
  const stepsOf = (wanted: string | number | null) =>
    Object.fromEntries(
      measured.rows
        .filter((row) => row.name === wanted)
        .map(({ step, count, median, p90 }) => [
          step,
          { count: estimate(count), median: Number(median), p90: Number(p90) },
        ]),
    );
  const groups = counted.rows.map(({ name, tenant, id, closed, due, kept }) => ({
    name: query.by === 'day' ? new Date(Number(name) * DAY).toISOString().slice(0, 10) : (name as string | null),
    example: { tenant, id },
    closed: estimate(closed),
    withDeadline: estimate(due),
    onTime: estimate(kept),
    steps: stepsOf(name),
  }));
  return { groups: query.by === 'day' ? groups.toReversed() : groups, share };
}

interface Counted {
  readonly name: string | number | null;
  readonly tenant: string;
  readonly id: string;
  readonly closed: number;
  readonly due: number;
  readonly kept: number;
}

interface Measured extends Pick<Counted, 'name'> {
  readonly step: LeadStep;
  readonly count: number;
  readonly median: number;
  readonly p90: number;
}

function conditionsOf({ kind, since, until, customer, facility, carrier, tenant }: LeadQuery): RawBuilder<boolean> {
  const given = { customer_id: customer, facility_id: facility, carrier, tenant };
  const equal = Object.entries(given).flatMap(([column, value]) =>
    value === undefined ? [] : [sql` and ${sql.ref(column)} = ${value}`],
  );
  return sql<boolean>`kind = ${kind} and closed_at >= ${since} and closed_at < ${until}${sql.join(equal, sql``)}`;
}
