import { type Kysely, sql } from 'kysely';
import { type SubjectKind, type SubjectRef, subjectKinds } from '../../domain/catalogue/subject.ts';
import type { SavedSubject } from '../../domain/lifecycle/attention.ts';
import type { Connections } from '../../store/engines/connections.ts';
import { type Database, subjectColumns, subjectIn } from '../../store/schema.ts';
import { isBelievedOpen } from './subject-search.ts';

/** Deadline of a subject, with the fingerprint of its rules and the time at which it is late next. */
type KnownDeadline = Pick<SavedSubject, 'deadline' | 'deadlineRules' | 'lateAt'>;

export const deadlineColumns = ['due_at', 'at_risk_at', 'due_because', 'due_rules', 'late_at'] as const;

type Row = Pick<Database['subjects'], 'due_at' | 'at_risk_at' | 'due_because' | 'late_at'> & {
  readonly due_rules: string;
};

/** Reads the columns of a deadline. */
export function deadlineIn({ due_at, at_risk_at, due_because, due_rules, late_at }: Row): KnownDeadline {
  return {
    ...(due_at !== null && {
      deadline: { dueAt: due_at, atRiskAt: at_risk_at ?? due_at, because: due_because ?? '' },
    }),
    ...(due_rules !== '' && { deadlineRules: due_rules }),
    ...(late_at !== null && { lateAt: late_at }),
  };
}

export const toDeadlineColumns = ({ deadline, deadlineRules, lateAt }: KnownDeadline): Row => ({
  due_at: deadline?.dueAt ?? null,
  at_risk_at: deadline?.atRiskAt ?? null,
  due_because: deadline?.because ?? null,
  due_rules: deadlineRules ?? '',
  late_at: lateAt ?? null,
});

/** Condition of the subjects that are open and have a deadline. Must match the condition of the index of deadlines. */
export const isDueAndOpen = sql<boolean>`due_at is not null and ${isBelievedOpen}`;

/** Time ahead for which what is due counts as due soon, in milliseconds. */
const SOON_MS = 86_400_000;

/** Conditions of what is overdue, at risk or due soon at a time, in milliseconds since the epoch; each besides {@link isDueAndOpen}. */
export const isDue = {
  overdue: (now: number) => sql<boolean>`due_at <= ${now}`,
  atRisk: (now: number) => sql<boolean>`due_at > ${now} and at_risk_at <= ${now}`,
  soon: (now: number) => sql<boolean>`due_at <= ${now + SOON_MS} and at_risk_at > ${now}`,
} as const;

/** Open subject with the fingerprint of the rules by which its deadline was computed. */
interface Computed {
  readonly subject: SubjectRef;
  readonly rules: string;
}

/** Saved state of an open subject, as of one moment. */
interface Open extends KnownDeadline {
  readonly lifecycle: SavedSubject['lifecycle'];
  readonly customerId: string | undefined;
  readonly updatedAt: number;
}

/** Deadlines of open subjects, one page after the other. */
export interface DeadlineRows {
  /** Returns the open subjects of these kinds after one, in the order of their keys. */
  page(kinds: readonly SubjectKind[], after: SubjectRef | undefined, limit: number): Promise<readonly Computed[]>;
  find(subject: SubjectRef): Promise<Open | undefined>;
  /** Saves a deadline, unless the subject was recorded since it was found; reports whether it did. */
  save(subject: SubjectRef, deadline: KnownDeadline, found: Open): Promise<boolean>;
}

export function createDeadlineRows({ db, reads }: Pick<Connections, 'db' | 'reads'>): DeadlineRows {
  return {
    async page(kinds, after, limit) {
      const { tenant, kind, subject_id } = after ? subjectColumns(after) : NOTHING;
      const rows = await reads
        .selectFrom('subjects')
        .select(['tenant', 'kind', 'subject_id', 'due_rules'])
        .where(isBelievedOpen)
        .where('kind', 'in', kinds)
        .where(sql<boolean>`(tenant, kind, subject_id) > (${tenant}, ${kind}, ${subject_id})`)
        .orderBy('tenant')
        .orderBy('kind')
        .orderBy('subject_id')
        .limit(limit)
        .execute();
      return rows.map((row) => ({ subject: subjectIn(row), rules: row.due_rules }));
    },

    async find(subject) {
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

    async save(subject, deadline, { updatedAt, lifecycle, deadlineRules = '' }) {
      const { numUpdatedRows } = await db
        .updateTable('subjects')
        .set(toDeadlineColumns(deadline))
        .where(({ and }) => and(subjectColumns(subject)))
        .where('updated_at', '=', updatedAt)
        .where('revision', '=', lifecycle.revision)
        .where('due_rules', '=', deadlineRules)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}

/** Comes before every subject. */
const NOTHING = { tenant: '', kind: subjectKinds[0], subject_id: '' } as const;

const rowOf = (db: Kysely<Database>, subject: SubjectRef) =>
  db
    .selectFrom('subjects')
    .select(['lifecycle', 'customer_id', 'updated_at', ...deadlineColumns])
    .where(({ and }) => and(subjectColumns(subject)))
    .executeTakeFirst();
