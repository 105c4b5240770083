import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { type SubjectKind, type SubjectRef, subjectKinds } from '../../domain/catalogue/subject.ts';
import type { Deadline, Marks, Outlook, Told } from '../../domain/deadlines/deadline.ts';
import { nextStep, type OpenOrder } from '../../domain/deadlines/forecast.ts';
import { kindsWithDeadlines } from '../../domain/deadlines/rule.ts';
import type { SavedSubject } from '../../domain/lifecycle/attention.ts';
import type { Connections } from '../../store/engines/connections.ts';
import { isPostgres, textRows } from '../../store/engines/dialect.ts';
import { changeRows, rowsOf } from '../../store/rows.ts';
import { type Database, subjectColumns } from '../../store/schema.ts';
import { isBelievedOpen } from '../../store/unfinished.ts';

/** With the rules' fingerprint and the time at which it is late next. */
type KnownDeadline = Pick<SavedSubject, 'deadline' | 'deadlineRules' | 'lateAt'>;

export const deadlineColumns = [
  'due_at',
  'at_risk_at',
  'due_because',
  'due_rules',
  'due_zone',
  'late_at',
  'expected_at',
  'changes',
  'told_at',
  'rule_at',
  'forecast',
] as const;

type Row = Pick<Database['subjects'], Exclude<(typeof deadlineColumns)[number], 'due_rules'>> & {
  readonly due_rules: string;
};

export function deadlineIn(row: Row): KnownDeadline {
  const { due_at: dueAt, due_rules: deadlineRules, late_at: lateAt } = row;
  const marks = forecastOf({
    dueAt,
    expectedAt: row.expected_at,
    changes: row.changes,
    toldAt: row.told_at,
    ruleAt: row.rule_at,
  });
  return {
    ...(dueAt !== null && {
      deadline: {
        dueAt,
        atRiskAt: row.at_risk_at ?? dueAt,
        because: row.due_because ?? '',
        timeZone: row.due_zone ?? undefined,
        ...(marks && { forecast: { ...(JSON.parse(row.forecast ?? '{}') as Told), ...marks } }),
      },
    }),
    ...(deadlineRules !== '' && { deadlineRules }),
    ...(lateAt !== null && { lateAt }),
  };
}

type Stored = Readonly<Record<'dueAt' | 'expectedAt' | 'changes' | 'toldAt' | 'ruleAt', number | null>>;

const forecastOf = ({ dueAt, expectedAt, changes, toldAt, ruleAt }: Stored): Marks['forecast'] =>
  expectedAt === null
    ? undefined
    : { expectedAt, changes: changes ?? 0, toldAt: toldAt ?? undefined, ruleAt: ruleAt ?? dueAt ?? 0 };

export const toDeadlineColumns = ({ deadline, deadlineRules, lateAt }: KnownDeadline): Row => ({
  due_at: deadline?.dueAt ?? null,
  due_because: deadline?.because ?? null,
  due_rules: deadlineRules ?? '',
  due_zone: deadline?.timeZone ?? null,
  ...toForecastColumns({ atRiskAt: deadline?.atRiskAt, forecast: deadline?.forecast, lateAt }),
});

function toForecastColumns({
  atRiskAt,
  forecast,
  lateAt,
}: { readonly atRiskAt: number | undefined } & Pick<Deadline, 'forecast'> & Pick<KnownDeadline, 'lateAt'>) {
  const { expectedAt, changes, toldAt, ruleAt, ...details } = forecast ?? {};
  return {
    at_risk_at: atRiskAt ?? null,
    late_at: lateAt ?? null,
    expected_at: expectedAt ?? null,
    changes: changes ?? null,
    told_at: toldAt ?? null,
    rule_at: ruleAt ?? null,
    forecast: forecast ? JSON.stringify(details) : null,
  };
}

/** Must match the condition of the index of deadlines. */
export const isDueAndOpen = sql<boolean>`due_at is not null and ${isBelievedOpen}`;

/** A deadline within it is due soon. */
const SOON_MS = 86_400_000;

/** Will probably miss its deadline, or may. */
export const isEndangered = (now: number) => sql<boolean>`due_at > ${now} and at_risk_at <= ${now}`;

/** As {@link outlookOf} says it, and what is due soon; besides {@link isDueAndOpen}. */
export const isDue = {
  overdue: (now) => sql<boolean>`due_at <= ${now}`,
  willMiss: (now) => sql<boolean>`${isEndangered(now)} and expected_at is not null`,
  atRisk: (now) => sql<boolean>`${isEndangered(now)} and expected_at is null`,
  onTime: (now) => sql<boolean>`due_at > ${now} and at_risk_at > ${now}`,
  soon: (now) => sql<boolean>`due_at > ${now} and due_at <= ${now + SOON_MS}`,
} as const satisfies Record<Outlook | 'soon', (now: number) => RawBuilder<boolean>>;

/** `rules`: fingerprint of those of its deadline. */
export interface OpenRow extends OpenOrder {
  readonly kind: SubjectKind;
  readonly id: string;
  readonly rules: string;
  readonly updatedAt: number;
  readonly atRiskAt: number;
  readonly forecast: Marks['forecast'];
}

interface Open extends KnownDeadline {
  readonly lifecycle: SavedSubject['lifecycle'];
  readonly customerId: string | undefined;
  readonly updatedAt: number;
}

/** `updatedAt`: last recording; `lateAt`: when its workflow tells it. */
export interface NewForecast extends SubjectRef, Pick<Deadline, 'atRiskAt' | 'forecast'> {
  readonly updatedAt: number;
  readonly lateAt: number;
}

export type DeadlineRows = ReturnType<typeof createDeadlineRows>;

export function createDeadlineRows({ db, reads }: Pick<Connections, 'db' | 'reads'>) {
  return {
    /** In the order of keys. */
    async page(after: SubjectRef | undefined, limit: number): Promise<readonly OpenRow[]> {
      const { tenant, kind, subject_id } = after ? subjectColumns(after) : NOTHING;
      const [toRow, toRows] = isPostgres(reads)
        ? [sql`json_build_array`, sql`json_agg`]
        : [sql`json_array`, sql`json_group_array`];
      const columns = sql.join(pageColumns.map((it) => sql.ref(it)));
      // As one text: each value of a row on its own takes three times as long to get here. The kind is an expression: by an index of kinds
      // SQLite would sort all open subjects for each page.
      const { rows } = await sql<{ read: string | null }>`
        select cast(${toRows}(${toRow}(${columns})) as text) as read from (
          select ${columns} from ${sql.table('subjects')}
          where ${isBelievedOpen} and kind || '' in (${sql.join(kindsWithDeadlines)})
            and (tenant, kind, subject_id) > (${tenant}, ${kind}, ${subject_id})
          order by tenant, kind, subject_id limit ${limit}) as page`.execute(reads);
      return (JSON.parse(rows[0]?.read ?? '[]') as PageRow[]).map(toOpenRow);
    },

    async find(subject: SubjectRef): Promise<Open | undefined> {
      const row = await rowOf(db, subject);
      return (
        row && {
          lifecycle: JSON.parse(row.lifecycle),
          customerId: row.customer_id ?? undefined,
          updatedAt: row.updated_at,
          ...deadlineIn(row),
        }
      );
    },

    /** Only of subjects that were not recorded since they were found. */
    async saveForecasts(forecasts: readonly NewForecast[]): Promise<void> {
      if (forecasts.length === 0) return;
      const rows = forecasts.map(({ tenant, kind, id, updatedAt, ...it }) => ({
        ...subjectColumns({ tenant, kind, id }),
        updated_at: updatedAt,
        ...toForecastColumns(it),
      }));
      const number = (name: string) => sql`cast(new.${sql.ref(name)} as bigint)`;
      const numbers = ['at_risk_at', 'late_at', 'expected_at', 'changes', 'told_at', 'rule_at'].map(
        (it) => sql`${sql.ref(it)} = ${number(it)}`,
      );
      await sql`update ${sql.table('subjects')} set ${sql.join(numbers)}, forecast = new.forecast
        from ${textRows(db, Object.keys(rows[0] ?? {}) as (keyof (typeof rows)[number])[], rows)} as new
        where subjects.tenant = new.tenant and subjects.kind = new.kind and subjects.subject_id = new.subject_id
          and subjects.updated_at = ${number('updated_at')}`.execute(db);
    },

    /** False if the subject was recorded since it was found. */
    async save(
      subject: SubjectRef,
      deadline: KnownDeadline,
      { updatedAt, lifecycle, deadlineRules = '' }: Open,
    ): Promise<boolean> {
      const { numUpdatedRows } = await changeRows(db, 'subjects', {
        ...subjectColumns(subject),
        updated_at: updatedAt,
        revision: lifecycle.revision,
        due_rules: deadlineRules,
      })
        .set(toDeadlineColumns(deadline))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}

const pageColumns = [
  'tenant',
  'kind',
  'subject_id',
  'due_rules',
  'updated_at',
  'stage',
  'stage_since',
  'facility_id',
  'carrier',
  'due_at',
  'at_risk_at',
  'expected_at',
  'changes',
  'told_at',
  'rule_at',
] as const;

type Cells<Columns extends readonly (keyof Database['subjects'])[]> = {
  readonly [Index in keyof Columns]: Selectable<Database['subjects']>[Columns[Index]];
};

type PageRow = Cells<typeof pageColumns>;

function toOpenRow([
  tenant,
  kind,
  id,
  rules,
  updatedAt,
  stage,
  since,
  facility,
  carrier,
  dueAt,
  atRiskAt,
  ...[expectedAt, changes, toldAt, ruleAt]
]: PageRow): OpenRow {
  return {
    tenant,
    kind,
    id,
    rules,
    updatedAt,
    step: nextStep(stage),
    since,
    facility,
    carrier,
    dueAt,
    atRiskAt: atRiskAt ?? 0,
    forecast: forecastOf({ dueAt, expectedAt, changes, toldAt, ruleAt }),
  };
}

const NOTHING = { tenant: '', kind: subjectKinds[0], subject_id: '' } as const;

const rowOf = (db: Kysely<Database>, subject: SubjectRef) =>
  rowsOf(db, 'subjects', subjectColumns(subject))
    .select(['lifecycle', 'customer_id', 'updated_at', ...deadlineColumns])
    .executeTakeFirst();
