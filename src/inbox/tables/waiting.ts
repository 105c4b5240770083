import { type Kysely, sql } from 'kysely';
import type { WarehouseEvent } from '../../domain/catalogue/event.ts';
import { ENDING } from '../../domain/catalogue/record-facts.ts';
import { parseSubjectKey, type SubjectRef, subjectKey } from '../../domain/catalogue/subject.ts';
import { isPostgres } from '../../store/engines/dialect.ts';
import { prepared } from '../../store/engines/prepared.ts';
import { countOf, type Database } from '../../store/schema.ts';

/** Oldest events that wait for a subject, up to a limit. */
export interface WaitingEvents {
  readonly names: readonly string[];
  readonly traces: readonly string[];
  /** Time at which the first was received, in milliseconds since the epoch; undefined if none waits. */
  readonly receivedAt: number | undefined;
}

/**
 * Condition of the rows that wait to be observed, as their index by id has it. It is written in three ways: PostgreSQL keeps rows that no
 * longer wait in an index as long as any transaction is open, and takes an index of so few that do for cheap. So a statement that knows
 * more is not offered the indexes of those that know less.
 */
export const isWaiting = sql<boolean>`observed_at is null and quarantine_reason is null`;

/** The same condition as the index by subject has it. */
export const isWaitingOfSubject = sql<boolean>`coalesce(observed_at, -1) = -1 and quarantine_reason is null`;

/** The same condition as no index has it, for rows that are known by the ids of their events. */
export const isWaitingOfEvent = sql<boolean>`+observed_at is null and quarantine_reason is null`;

const waitingRows = (db: Kysely<Database>) => db.selectFrom('inbox').where(isWaiting);

/** Selects the rows of subjects that wait to be observed. */
export const waitingRowsOf = (db: Kysely<Database>, subjectKeys: readonly string[]) =>
  db.selectFrom('inbox').where(isWaitingOfSubject).where('subject_key', 'in', subjectKeys);

/** Condition of the rows that do not wait, as the indexes have it in which those that wait are left out. */
export const isSettled = sql<boolean>`(observed_at is not null or quarantine_reason is not null)`;

/** Counts the rows that wait to be observed. */
export const countWaiting = (db: Kysely<Database>): Promise<number> => countOf(waitingRows(db));

/** Returns the time at which the oldest row that waits was received, in milliseconds since the epoch; null if none waits. */
export async function oldestWaiting(db: Kysely<Database>): Promise<number | null> {
  const row = await waitingRows(db).select('received_at as at').orderBy('id').limit(1).executeTakeFirst();
  return row?.at ?? null;
}

/** Maximum number of waiting events that are read for a workflow to be woken. */
const EVENTS = 20;

/** Reads the oldest events that wait for a subject. */
export async function readWaiting(db: Kysely<Database>, subjectKey: string): Promise<WaitingEvents> {
  const rows = await selectWaiting(db, { subjectKey, limit: EVENTS });
  const events = rows.map(({ json }) => parse(json));
  return {
    names: events.map(({ name }) => name ?? 'unreadable'),
    traces: events.flatMap(({ trace }) => trace ?? []),
    receivedAt: rows[0]?.receivedAt,
  };
}

/** Selects the oldest events that wait for a subject. */
export const selectWaiting = prepared(
  (db, { subjectKey, limit }: { readonly subjectKey: string; readonly limit: number }) =>
    waitingRowsOf(db, [subjectKey])
      .select(['event_id as id', 'event as json', 'received_at as receivedAt'])
      // Not "id" alone, which is the alias of the event's id here.
      .orderBy('inbox.id')
      .limit(limit),
);

/** Reads what a signal needs of an event. Only another version can have written one without a name. */
function parse(event: string | null): { readonly name?: string; readonly trace?: string } {
  try {
    const { name, trace } = JSON.parse(event ?? '');
    return { ...(typeof name === 'string' && { name }), ...(typeof trace === 'string' && { trace }) };
  } catch {
    return {};
  }
}

/** Number of the newest waiting rows that a search reads. */
const SOUGHT = 100_000;

/** Finds the subjects of events that wait by the beginning of an id, of a reference or of a PO number, or by the last digits of an id. */
export async function findWaiting(
  reads: Kysely<Database>,
  text: string,
  limit: number,
): Promise<readonly SubjectRef[]> {
  // Both take only ASCII for letters.
  const has = (part: string) =>
    isPostgres(reads)
      ? sql<boolean>`strpos(lower(event collate "C"), ${part}) > 0`
      : sql<boolean>`instr(lower(event), ${part}) > 0`;
  const small = text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  // As the event was written, with the name of the member before it.
  const beginning = JSON.stringify(small).slice(0, -1);
  const rows = await reads
    .selectFrom(
      waitingRows(reads).select(['id', 'subject_key', 'event']).orderBy('id', 'desc').limit(SOUGHT).as('newest'),
    )
    .select('subject_key')
    .distinct()
    .where(({ or }) =>
      or([
        ...['subjectid', 'reference', 'ponumber'].map((name) => has(`"${name}":${beginning}`)),
        ...(ENDING.test(text) ? [sql<boolean>`subject_key like ${`%${text}`}`] : []),
      ]),
    )
    .limit(limit)
    .execute();
  return rows.flatMap(({ subject_key }) => parseSubjectKey(subject_key ?? '') ?? []);
}

/** Returns the oldest event that waits for a subject, with the time at which it was received in milliseconds since the epoch. */
export async function firstWaiting(reads: Kysely<Database>, subject: SubjectRef) {
  const [row] = await selectWaiting(reads, { subjectKey: subjectKey(subject), limit: 1 });
  return row && { event: JSON.parse(row.json ?? '{}') as Partial<WarehouseEvent>, receivedAt: row.receivedAt };
}

/** Number of waiting rows: exact if only this process changes them, approximate otherwise. */
export interface WaitingCount {
  value(): number;
  /** Applies a change that this process committed. */
  change(by: number): void;
}

/** Minimum time between two counts, in milliseconds. */
const REFRESH_MS = 1000;

/** Minimum time between two counts, as a multiple of the duration of the last: counting a million rows is expensive. */
const COST_FACTOR = 20;

/** Counts the rows, and counts again on demand if other processes change them. */
export async function createWaitingCount({
  count,
  isShared,
}: {
  readonly count: () => Promise<number>;
  readonly isShared: boolean;
}): Promise<WaitingCount> {
  let value = await count();
  let dueAt = performance.now() + REFRESH_MS;
  let addedMeanwhile = 0;

  async function refresh(): Promise<void> {
    const startedAt = performance.now();
    dueAt = Number.POSITIVE_INFINITY;
    addedMeanwhile = 0;
    try {
      // The query may include them already. Too many for a moment is better than idle while something waits.
      value = (await count()) + addedMeanwhile;
    } catch {
      // The old count has to do; the callers that use the database report its failure.
    }
    const endedAt = performance.now();
    dueAt = endedAt + Math.max(REFRESH_MS, COST_FACTOR * (endedAt - startedAt));
  }

  return {
    value() {
      if (isShared && performance.now() >= dueAt) void refresh();
      return Math.max(0, value);
    },
    change(by) {
      value += by;
      if (by > 0) addedMeanwhile += by;
    },
  };
}
