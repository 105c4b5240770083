import { type Kysely, sql } from 'kysely';
import type { WarehouseEvent } from '../../domain/catalogue/event.ts';
import { ENDING } from '../../domain/catalogue/record-facts.ts';
import { parseSubjectKey, type SubjectRef, subjectKey } from '../../domain/catalogue/subject.ts';
import { prepared, rowsOf } from '../../store/rows.ts';
import { countOf, type Database } from '../../store/schema.ts';

export interface WaitingEvents {
  readonly names: readonly string[];
  readonly traces: readonly string[];
}

/**
 * Rows that wait, as their index by id has it. Written in three ways: PostgreSQL keeps rows that no longer wait in an index while any
 * transaction is open, and takes an index of so few for cheap, so a statement that knows more is not offered the indexes of those that know
 * less.
 */
export const isWaiting = sql<boolean>`observed_at is null and quarantine_code is null`;

/** As the index by subject has it. */
export const isWaitingOfSubject = sql<boolean>`coalesce(observed_at, -1) = -1 and quarantine_code is null`;

/** As no index has it, for rows known by the ids of their events. */
export const isWaitingOfEvent = sql<boolean>`+observed_at is null and quarantine_code is null`;

const waitingRows = (db: Kysely<Database>) => db.selectFrom('inbox').where(isWaiting);

export const waitingRowsOf = (db: Kysely<Database>, subjectKeys: readonly string[]) =>
  rowsOf(db, 'inbox', { subject_key: subjectKeys }).where(isWaitingOfSubject);

/** As the indexes have it that leave out waiting rows. */
export const isSettled = sql<boolean>`(observed_at is not null or quarantine_code is not null)`;

export const countWaiting = (db: Kysely<Database>): Promise<number> => countOf(waitingRows(db));

const EVENTS = 20;

export async function readWaiting(db: Kysely<Database>, subjectKey: string): Promise<WaitingEvents> {
  const rows = await selectWaiting(db, { subjectKey, limit: EVENTS });
  const events = rows.map(({ json }) => parse(json));
  return {
    names: events.map(({ name }) => name ?? 'unreadable'),
    traces: events.flatMap(({ trace }) => trace ?? []),
  };
}

export const selectWaiting = prepared(
  (db, { subjectKey, limit }: { readonly subjectKey: string; readonly limit: number }) =>
    waitingRowsOf(db, [subjectKey])
      .select(['event_id as id', 'event as json', 'received_at as receivedAt'])
      // Not "id" alone, which is the alias of the event's id here.
      .orderBy('inbox.id')
      .limit(limit),
);

/** Only another version can have written an event without a name. */
function parse(event: string | null): Partial<WarehouseEvent> {
  try {
    return JSON.parse(event ?? '');
  } catch {
    return {};
  }
}

const SOUGHT = 100_000;

/** Both engines agree only on letters of ASCII. */
const small = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Columns by which a row is found while it waits. */
export const soughtBy = ({ reference, poNumber }: Pick<WarehouseEvent, 'reference' | 'poNumber'> = {}) => ({
  reference: reference === undefined ? null : small(reference),
  po_number: poNumber === undefined ? null : small(poNumber),
});

/** By the beginning of an id, a reference or a PO number, or by the last digits of an id. */
export async function findWaiting(
  reads: Kysely<Database>,
  text: string,
  limit: number,
): Promise<readonly SubjectRef[]> {
  const begin = `${small(text).replaceAll(/[\\%_]/g, '\\$&')}%`;
  const begins = (column: 'reference' | 'po_number') => sql<boolean>`${sql.ref(column)} like ${begin} escape '\\'`;
  const rows = await reads
    .selectFrom(
      waitingRows(reads)
        .select(['id', 'subject_key', 'reference', 'po_number'])
        .orderBy('id', 'desc')
        .limit(SOUGHT)
        .as('newest'),
    )
    .select('subject_key')
    .distinct()
    .where(({ or }) =>
      or([
        sql<boolean>`lower(subject_key) like ${`%:%:${begin}`} escape '\\'`,
        ...(['reference', 'po_number'] as const).map(begins),
        ...(ENDING.test(text) ? [sql<boolean>`subject_key like ${`%${text}`}`] : []),
      ]),
    )
    .limit(limit)
    .execute();
  return rows.flatMap(({ subject_key }) => parseSubjectKey(subject_key ?? '') ?? []);
}

export async function firstWaiting(reads: Kysely<Database>, subject: SubjectRef) {
  const [row] = await selectWaiting(reads, { subjectKey: subjectKey(subject), limit: 1 });
  return row && { event: JSON.parse(row.json ?? '{}') as Partial<WarehouseEvent>, receivedAt: row.receivedAt };
}

/** Exact if only this process changes them. */
export interface WaitingCount {
  value(): number;
  change(by: number): void;
}

const REFRESH_MS = 1000;

/** Between two counts, as a multiple of the last one's duration: counting a million rows is expensive. */
const COST_FACTOR = 20;

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
