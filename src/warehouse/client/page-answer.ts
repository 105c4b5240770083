import { isDeepStrictEqual } from 'node:util';
import { isObject, readerOf } from '../../base/json.ts';
import { readWrittenTime, utcOf } from '../../base/moment.ts';
import { words } from '../../base/text.ts';
import { parseExactly, parseJson, refuseTwins, UnreadableJson } from '../../base/untrusted-json.ts';
import type { Properties } from '../../domain/catalogue/properties.ts';
import { linesIn, rowsOf } from '../../domain/catalogue/rows.ts';
import type { SweptKind } from '../../domain/catalogue/subject.ts';
import { kinds } from '../../domain/kinds/kinds.ts';
import { readRow as readListed } from '../../domain/kinds/record.ts';
import { isOfRecord, isTakingBack, standingMilestones } from '../../domain/lifecycle/milestone.ts';
import { findAt, isErrorAnswer, ownIdAt, readNumber, readText } from '../../domain/wire-values.ts';
import type { ListedRow, Reported, RetrievedSubject } from '../gets.ts';
import { type Read, readAnswer, refusalOf, refuseErrors, UnprovenAnswer } from './answer.ts';
import type { Resource } from './api.ts';
import { type Answer, describeCall } from './transport.ts';

export type Found = Omit<RetrievedSubject, 'body'>;

export interface Loaded {
  readonly value: Found;
  readonly body: string;
}

export interface Records {
  readonly one: (id: string) => Resource;
  readonly many: (ids: readonly string[]) => Resource;
  readonly readOne: (id: string) => Read<Found>;
  /** Throws `UnprovenAnswer` for an answer that is none. */
  readonly rowsIn: (page: unknown) => readonly unknown[];
  readonly idOf: (record: unknown) => string | undefined;
}

export interface Page {
  /** Why the warehouse cannot be asked for many, for people. */
  readonly limitation?: string;
  readonly count: number;
  /** Undefined unless there is exactly one, and it proves itself. */
  rowOf(id: string): Loaded | undefined;
}

/** Statuses of a listing that the warehouse does not offer, or not so. */
const unsupported: ReadonlySet<number> = new Set([400, 403, 404, 405, 410, 414, 501]);

export const describeMany = ({ many }: Pick<Records, 'many'>): string =>
  describeCall({ method: 'GET', path: many([]).path });

/** Throws a `DocklineError` for an answer that says nothing about pages. */
export function readPage(records: Records, ids: readonly string[], answer: Answer): Page {
  const target = { method: 'GET', path: records.many([]).path } as const;
  if (unsupported.has(answer.status)) {
    const { message } = refusalOf(target, answer);
    return { limitation: `${message} when asked for several at once`, count: 0, rowOf: () => undefined };
  }
  const rows = readAnswer(target, answer, records.rowsIn);
  const exact = records.rowsIn(parseExactly(answer.text));
  const byId = Map.groupBy(
    rows.map((row, index) => ({ row, body: JSON.stringify(exact[index]) })),
    ({ row }) => (records.idOf(row) ?? '').toLowerCase(),
  );
  const known = new Set(['', ...ids.map((id) => id.toLowerCase())]);
  const isFiltered = [...byId.keys()].every((id) => known.has(id));
  return {
    ...(!isFiltered && { limitation: `${describeMany(records)} answered with records that were not asked for` }),
    count: rows.length,
    rowOf(id) {
      const [only, another] = byId.get(id.toLowerCase()) ?? [];
      const value = only && !another ? proven(() => records.readOne(id)(only.row)) : undefined;
      return only && value && { value, body: only.body };
    },
  };
}

export const readStored = ({ readOne }: Records, id: string, text: string): Found | undefined =>
  proven(() => readOne(id)(parseJson(text)));

function proven(read: () => Found): Found | undefined {
  try {
    const value = read();
    return value.isUnreadable ? undefined : value;
  } catch (error) {
    if (error instanceof UnprovenAnswer || error instanceof UnreadableJson) return undefined;
    throw error;
  }
}

/** Parts that a record's own GET has and its row lacks, such as its lines, for people. */
export function describeLack(records: Records, row: Loaded, own: Loaded): string | undefined {
  const present = new Set(sectionsOf(JSON.parse(row.body)));
  const missing = sectionsOf(JSON.parse(own.body)).filter((section) => !present.has(section));
  return missing.length > 0
    ? `${describeMany(records)} shows less of a record than its own GET: ${missing.join(', ')}`
    : undefined;
}

/** Reports whether a row shows other facts than the record of the same time. */
export const isOther = (row: Found, own: Found): boolean =>
  row.changedAt === own.changedAt && !isDeepStrictEqual(row, own);

/** Facts come and go with what happens; sections are asked for. */
function sectionsOf(record: unknown): readonly string[] {
  if (!isObject(record)) return [];
  const lines = linesIn(record);
  const { _links, ...parts } = record;
  const [line] = lines ?? [];
  return [
    ...namesOf(parts),
    ...namesOf(readerOf(record)('_embedded')),
    ...namesOf(line).map((name) => `items.${name}`),
  ];
}

const namesOf = (value: unknown): readonly string[] =>
  isObject(value) ? Object.keys(value).map((name) => name.toLowerCase()) : [];

interface Known {
  readonly stored: Found | undefined;
  readonly newest: readonly Reported[];
}

type Verdict = 'newer' | 'older' | 'unclear';

/**
 * Judges whether a row of a listing, which may lag, is newer than what is stored, and no older than the newest events;
 * also one as stored if the events are older. Its times are in an unnamed zone, so they are compared only with those of
 * other records. Whatever is in doubt is not proven.
 */
export function judge(row: Found, { stored, newest }: Known): Verdict {
  const verdicts = newest.map((reported) => judgeReported(row, stored, reported));
  if (stored) verdicts.push(judgeStored(row, stored, newest.length > 0));
  if (verdicts.includes('older')) return 'older';
  return row.changedAt !== undefined && verdicts.every((it) => it === 'newer') ? 'newer' : 'unclear';
}

function judgeStored(row: Found, stored: Found, isReported: boolean): Verdict {
  const difference = compareTimes(row.changedAt, stored.changedAt) ?? Number.NaN;
  if (difference < 0) return 'older';
  return difference > 0 || (difference === 0 && isReported && isDeepStrictEqual(row, stored)) ? 'newer' : 'unclear';
}

function judgeReported(row: Found, stored: Found | undefined, { milestone, changedAt }: Reported): Verdict {
  const difference = compareTimes(row.changedAt, changedAt) ?? Number.NaN;
  const isToShow = milestone !== null && isOfRecord(milestone);
  if (difference < 0 || (isToShow && !shownBy(row).has(milestone))) return 'older';
  const isAtLeast = difference > 0 || (difference === 0 && isPrecise(row.changedAt));
  if (changedAt !== undefined && !(difference >= 0)) return 'unclear';
  // A record that nobody had seen shows as not happened what was taken back.
  const isSince = isToShow && (stored ? !shownBy(stored).has(milestone) : !isTakingBack(milestone));
  return isAtLeast || isSince ? 'newer' : 'unclear';
}

/** Its creation is reported once a record is complete. */
const shownBy = ({ snapshot, isDeferred }: Found) =>
  new Set(standingMilestones(snapshot)).difference(new Set(isDeferred ? ['created'] : []));

/** Milliseconds; undefined if only one of them names its zone, or either cannot be read. */
function compareTimes(a = '', b = ''): number | undefined {
  const [one, other] = [readWrittenTime(a), readWrittenTime(b)];
  if (!one?.clock || !other?.clock || (one.offset === undefined) !== (other.offset === undefined)) return undefined;
  return utcOf(one) - utcOf(other);
}

/** Several changes may have the same second. */
const isPrecise = (time = ''): boolean => !readWrittenTime(time)?.clock?.endsWith('.000');

export interface Row extends ListedRow {
  /** Local time without an offset. */
  readonly changedAt?: string | undefined;
}

/** Throws `UnprovenAnswer` for an answer that is no page, and for a row without an id or any known fact. */
export const readListedPage = (kind: SweptKind, properties: Properties, page: unknown): readonly Row[] =>
  rowsIn(kind, page).map((row) => readRow(kind, properties, row));

/** Throws `UnprovenAnswer` for an answer without any list. */
export function rowsIn(kind: SweptKind, page: unknown): readonly unknown[] {
  // HAL leaves out what is empty.
  const rows = rowsOf(page, new RegExp(`(?:${kinds[kind].segments})$`, 'i')) ?? (totalOf(page) === 0 ? [] : undefined);
  if (!rows || (rows.length === 0 && isErrorAnswer(page))) throw new UnprovenAnswer('without rows');
  refuseTwins(page);
  return rows;
}

const totalOf = (page: unknown): number | undefined => readNumber(readerOf(page)('totalresults'));

/** A record that was never changed may only have the time of its creation. */
export function changedAtIn(record: unknown, path: string): string | undefined {
  const read = readerOf(record);
  return readText(findAt(read, path) ?? findAt(read, 'readonly.creationdate'));
}

function readRow(kind: SweptKind, properties: Properties, row: unknown): Row {
  refuseErrors(row);
  const id = ownIdAt(row, properties[`${kind}.id`]);
  const { snapshot, isUnreadable } = readListed(kind, row, properties);
  if (id === undefined || isUnreadable) throw new UnprovenAnswer(`with a row that is no ${words(kind)}`);
  return { id, changedAt: changedAtIn(row, properties[`${kind}.changed`]), snapshot };
}
