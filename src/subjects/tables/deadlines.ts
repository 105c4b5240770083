import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { DAY_MS } from '../../base/moment.ts';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import { type Deadline, type Outlook, outlooks } from '../../domain/deadlines/deadline.ts';
import { nextStep, type OpenOrder } from '../../domain/deadlines/forecast.ts';
import { kindsWithDeadlines } from '../../domain/deadlines/rule.ts';
import { mainKind } from '../../domain/kinds/kinds.ts';
import type { SavedSubject } from '../../domain/lifecycle/attention.ts';
import type { StageLimits } from '../../domain/lifecycle/stage.ts';
import { ascending, unlessWoken } from '../../inbox/tables/due.ts';
import { isPostgres, textRows } from '../../store/engines/dialect.ts';
import { type Database, type SharedDeps, type StoreDeps, subjectColumns } from '../../store/schema.ts';
import { isBelievedOpen, isOpen } from '../../store/subjects.ts';
import { subjectKeyColumn } from './subject-search.ts';

export type KnownDeadline = Pick<SavedSubject, 'deadline' | 'deadlineRules' | 'lateAt'>;

export const deadlineColumns = [
  ...(['due_at', 'at_risk_at', 'rule_at', 'notified_at', 'forecast', 'late_at'] as const),
  ...(['due_because', 'due_rules', 'due_zone'] as const),
] as const;

type Row = Pick<Selectable<Database['subjects']>, (typeof deadlineColumns)[number]>;

export const deadlineIn = (row: Row): KnownDeadline => ({
  ...(row.due_at !== null && {
    deadline: {
      dueAt: row.due_at,
      atRiskAt: row.at_risk_at ?? row.due_at,
      ruleAt: row.rule_at ?? row.due_at,
      notifiedAt: row.notified_at ?? undefined,
      forecast: row.forecast === null ? undefined : JSON.parse(row.forecast),
      because: row.due_because ?? '',
      timeZone: row.due_zone ?? undefined,
    },
  }),
  ...(row.due_rules !== '' && { deadlineRules: row.due_rules }),
  ...(row.late_at !== null && { lateAt: row.late_at }),
});

export const toDeadlineColumns = ({ deadline, deadlineRules = '', lateAt }: KnownDeadline) => ({
  due_at: deadline?.dueAt ?? null,
  rule_at: deadline?.ruleAt ?? null,
  due_because: deadline?.because ?? null,
  due_rules: deadlineRules,
  due_zone: deadline?.timeZone ?? null,
  ...toForecastColumns({ ...deadline, lateAt }),
});

const toForecastColumns = (it: Partial<Deadline> & Pick<KnownDeadline, 'lateAt'>) => ({
  at_risk_at: it.atRiskAt ?? null,
  notified_at: it.notifiedAt ?? null,
  late_at: it.lateAt ?? null,
  expected_at: it.forecast?.expectedAt ?? null,
  changes: it.forecast?.changes ?? null,
  forecast: it.forecast ? JSON.stringify(it.forecast) : null,
});

/** Must match the condition of the index of deadlines. */
export const isDueAndOpen = sql<boolean>`due_at is not null and ${isBelievedOpen}`;

export const isEndangered = (now: number) => sql<boolean>`due_at > ${now} and at_risk_at <= ${now}`;

/** And what is due soon; besides {@link isDueAndOpen}. */
export const isDue = {
  overdue: (now) => sql<boolean>`due_at <= ${now}`,
  willMiss: (now) => sql<boolean>`${isEndangered(now)} and expected_at is not null`,
  atRisk: (now) => sql<boolean>`${isEndangered(now)} and expected_at is null`,
  onTime: (now) => sql<boolean>`due_at > ${now} and at_risk_at > ${now}`,
  soon: (now) => sql<boolean>`due_at > ${now} and due_at <= ${now + DAY_MS}`,
} as const satisfies Record<Outlook | 'soon', (now: number) => RawBuilder<boolean>>;

/** Null for what is over, or never due. */
export function outlookAt(now: number): RawBuilder<Outlook | null> {
  const cases = outlooks.map((outlook) => sql`when ${isDue[outlook](now)} then ${sql.lit(outlook)}`);
  return sql`case when ${isDueAndOpen} then case ${sql.join(cases, sql` `)} end end`;
}

export interface OpenRow extends OpenOrder, SubjectRef {
  readonly rules: string;
  readonly updatedAt: number;
  readonly atRiskAt: number | null;
  readonly expectedAt: number | null;
  readonly changes: number | null;
}

export async function readOpen(reads: Kysely<Database>): Promise<readonly OpenRow[]> {
  const [toRow, toRows] = isPostgres(reads)
    ? [sql`json_build_array`, sql`json_agg`]
    : [sql`json_array`, sql`json_group_array`];
  // As one text: each value of a row on its own takes three times as long to get here.
  const { rows } = await sql<{ read: string | null }>`
    select cast(${toRows}(${toRow}(${sql.join(openColumns.map((it) => sql.ref(it)))})) as text) as read
    from ${sql.table('subjects')} where ${isBelievedOpen} and kind in (${sql.join(kindsWithDeadlines)})`.execute(reads);
  return (JSON.parse(rows[0]?.read ?? '[]') as Cells[]).map(toOpenRow);
}

const openColumns = [
  ...(['tenant', 'kind', 'subject_id', 'due_rules', 'updated_at', 'stage', 'stage_since'] as const),
  ...(['facility_id', 'carrier', 'due_at', 'at_risk_at', 'expected_at', 'changes'] as const),
] as const;

type Cells<Columns extends readonly (keyof Database['subjects'])[] = typeof openColumns> = {
  readonly [I in keyof Columns]: Selectable<Database['subjects']>[Columns[I]];
};

function toOpenRow([tenant, kind, id, rules, updatedAt, stage, since, facility, carrier, ...known]: Cells): OpenRow {
  const [dueAt, atRiskAt, expectedAt, changes] = known;
  const step = nextStep(stage);
  return { tenant, kind, id, rules, updatedAt, step, since, facility, carrier, dueAt, atRiskAt, expectedAt, changes };
}

/** Of a subject that was recorded last at `updatedAt`; without a forecast its rule decides. */
export interface NewForecast extends SubjectRef, Partial<Pick<Deadline, 'atRiskAt' | 'notifiedAt' | 'forecast'>> {
  readonly updatedAt: number;
  /** Its workflow tells it then. */
  readonly lateAt: number;
}

/** Leaves out subjects that were recorded since they were found. */
export async function saveForecasts(db: Kysely<Database>, forecasts: readonly NewForecast[]): Promise<void> {
  if (forecasts.length === 0) return;
  const rows = forecasts.map(({ updatedAt, ...it }) => ({
    ...subjectColumns(it),
    updated_at: updatedAt,
    ...toForecastColumns(it),
  }));
  const number = (name: string) => sql`cast(new.${sql.ref(name)} as bigint)`;
  await sql`update ${sql.table('subjects')} set at_risk_at = coalesce(${number('at_risk_at')}, rule_at), late_at = ${number('late_at')},
      expected_at = ${number('expected_at')}, changes = ${number('changes')}, forecast = new.forecast,
      notified_at = coalesce(subjects.notified_at, ${number('notified_at')})
    from ${textRows(db, Object.keys(rows[0] ?? {}) as (keyof (typeof rows)[number])[], rows)} as new
    where subjects.tenant = new.tenant and subjects.kind = new.kind and subjects.subject_id = new.subject_id
      and subjects.updated_at = ${number('updated_at')}`.execute(db);
}

const LIMIT = 1000;

/** Meanwhile a deadline is left to its workflow's timer. */
const TIMER_MS = 15_000;

/** Wakes subjects whose workflows may not know that their clock has run out: a limit or deadline was set or moved, or a timer lost. */
export function createOverdue(
  deps: Pick<StoreDeps, 'db' | 'now'> & SharedDeps,
  limits: StageLimits,
): () => Promise<void> {
  const { now } = deps;
  return async () => {
    await wakeThose(deps, sql<boolean>`late_at <= ${now() - TIMER_MS}`);
    if (Object.keys(limits).length === 0) return;
    const least = Math.min(...Object.values(limits));
    const isBeyond = sql`${isOpen} and stage_since <= ${now() - least} and stage_since + ${limitOf(limits)} <= ${now()}`;
    // Those whose mark a person has cleared were announced, too.
    const isKnown = sql`stalled = 1 or lifecycle like '%"milestone":"stalled"%'`;
    await wakeThose(deps, sql<boolean>`kind = ${sql.lit(mainKind)} and ${isBeyond} and not (${isKnown})`);
  };
}

async function wakeThose({ db, clock }: Pick<SharedDeps, 'db' | 'clock'>, condition: RawBuilder<boolean>) {
  await db
    .insertInto('due')
    .columns(['subject_key', 'step', 'at', 'attempts'])
    .expression(({ selectFrom }) =>
      selectFrom('subjects')
        .select(subjectKeyColumn.as('key'))
        .select([sql.lit('wake').as('step'), sql<number>`${clock()}`.as('at'), sql.lit(0).as('attempts')])
        .where(condition)
        .where(
          sql<boolean>`not exists (select 1 from ${sql.table('due')}
            where subject_key = ${subjectKeyColumn} and step in ('wake', 'woken'))`,
        )
        .orderBy(ascending(db, subjectKeyColumn))
        .limit(LIMIT),
    )
    .onConflict(unlessWoken)
    .execute();
}

/** A customer's own replaces the general one. */
function limitOf(limits: StageLimits): RawBuilder<number | null> {
  const own = Object.entries(limits).toSorted(([a], [b]) => Number(b.includes(':')) - Number(a.includes(':')));
  const cases = own.map(([name, ms]) => sql`when ${name} in (stage, customer_id || ':' || stage) then ${sql.lit(ms)}`);
  return sql`case ${sql.join(cases, sql` `)} end`;
}
