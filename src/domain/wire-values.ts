import { exactNumberIn, isObject, type Reader, readerOf } from '../base/json.ts';
import { DAY_MS, readWrittenTime, utcOf } from '../base/moment.ts';
import { cut } from '../base/text.ts';

// For messages and records alike. A value that says nothing is absent: systems write a blank, "null", zero, -1, a GUID of zeros, or the
// first or last day of their calendar.

/** Trimmed text of a number or a string; undefined for blanks and other values. */
export function readText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return typeof value === 'string' ? value.trim() || undefined : exactNumberIn(value);
}

/** At most so many characters. */
export function readShortText(value: unknown, most = 500): string | undefined {
  const text = readText(value);
  return text === undefined ? undefined : cut(text.toWellFormed(), most);
}

/** In place of an id, without what is between letters: `n/a` and `N.A.` are `na`. */
const NOTHING = /^(?:null|undefined|none|nil|nan|na|empty|unset|unknown)$/i;

/** A word between signs names a value that nobody has put there: `(null)`, `{id}`, `%ORDER_ID%`, `$id`. */
const PLACEHOLDER = /^[^\p{L}\p{N}]+\p{L}[\p{L}_ .-]*(?:[^\p{L}\p{N}_ .-][^\p{L}\p{N}]*)?$/u;

/** -1 stands for the system. */
const NEGATIVE = /^-\d[\d.]*$/;

/** Number or string. Absent: without any letter and any digit but zero, a word for nothing, a placeholder, or below zero. */
export function readId(value: unknown): string | undefined {
  const text = readText(value);
  if (text === undefined) return undefined;
  const signs = text.replaceAll(/[^\p{L}\p{N}]/gu, '');
  const saysNothing = /^0*$/.test(signs) || NOTHING.test(signs) || NEGATIVE.test(text) || PLACEHOLDER.test(text);
  return saysNothing ? undefined : text;
}

const flags = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

export function readFlag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : flags.get(readText(value)?.toLowerCase() ?? '');
}

export function readNumber(value: unknown): number | undefined {
  const text = readText(value);
  return text !== undefined && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
}

/** Years 1, 1753, 1899, 1900, 1970, 2079, 2099, 2999 and 9999 stand for no date. */
const EARLIEST_MS = Date.UTC(1971, 0);
const END_MS = Date.UTC(2079, 0);

export const hasMeaning = (time: number): boolean => time >= EARLIEST_MS && time < END_MS;

/** UTC by default. A day alone is none. */
export function readTime(value: unknown): number | undefined {
  const written = readWrittenTime(readText(value) ?? '');
  if (written?.clock === undefined) return undefined;
  const time = utcOf(written);
  return hasMeaning(time) ? time : undefined;
}

/** From a flag or a date. A date after tomorrow, however clocks and zones differ, stands for none. */
export function readHappened(value: unknown, now = Date.now()): boolean | undefined {
  const flag = readFlag(value);
  if (flag !== undefined) return flag;
  const written = readWrittenTime(readText(value) ?? '');
  const time = written && utcOf(written);
  return time !== undefined && hasMeaning(time) && time < endOfTomorrow(now) ? true : undefined;
}

/** `2026-02-13` or `2026-02-13T15:30:00`, with its offset if any. */
export function readDate(value: unknown): string | undefined {
  const written = readWrittenTime(readText(value) ?? '');
  if (!written || !hasMeaning(utcOf(written))) return undefined;
  const { day, clock, offset = '' } = written;
  return clock === undefined ? day : `${day}T${clock.replace(/\.000$/, '')}${offset}`;
}

const endOfTomorrow = (now: number): number => (Math.floor(now / DAY_MS) + 2) * DAY_MS;

const ERROR =
  /error|exception|(?<!de)fault|failure|problem|^(?:code|details?|hint|messages?|msg|reason|stack(?:trace)?|success|title)$/i;

/** Members of records of any kind. An error, too, may quote an id, a reference number and a status. */
const OWN = `
  allocations billing carrier companyinfo creationdate customeridentifier defernotification email
  facilityidentifier firstname fullyallocated isclosed itemidentifier lastmodifieddate lastname login packdonedate
  packstarted pickdonedate primarycontact primaryfacilityidentifier qty qualifier routinginfo savedelements shipto
  sku username _embedded`
  .trim()
  .split(/\s+/);

export function isErrorAnswer(value: unknown): boolean {
  const read = readerOf(value);
  const places = [value, read('readonly')].filter(isObject);
  const isError = places.some((place) => Object.entries(place).some(isOfError));
  return isError && !OWN.some((name) => says(read('readonly', name) ?? read(name)));
}

const isOfError = ([name, value]: readonly [string, unknown]): boolean =>
  (ERROR.test(name) && says(value)) || (name === '$type' && ERROR.test(readText(value) ?? ''));

/** Records may have an empty list of errors. */
const says = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).length > 0
    : value !== undefined && value !== null && value !== '' && value !== 0;

export interface OwnPlaces {
  /** Dotted path, in any case. */
  readonly idPath: string;
  /** Path of its own link; the group is the id. */
  readonly link: RegExp;
  /** The name was never seen: one called `id`, or the only one, is taken for it. */
  readonly isGuessed?: boolean | undefined;
}

/** Or else at the top by the last name of the path. */
export const ownIdAt = (record: unknown, path: string): string | undefined => readId(findAt(readerOf(record), path));

/** Or else at the top. */
export function findAt(read: Reader, path: string): unknown {
  const steps = path.toLowerCase().split('.');
  return read(...steps) ?? read(...steps.slice(-1));
}

/** Its own kind's id, or the one in its own link, proves which record it is. Any other id proves nothing. */
export function ownIdOf(record: unknown, { idPath, link, isGuessed }: OwnPlaces): string | undefined {
  const read = readerOf(record);
  const plain = isGuessed ? (readId(read('readonly', 'id') ?? read('id')) ?? onlyIdIn(record)) : undefined;
  const path = (readText(read('_links', 'self', 'href')) ?? '').replace(/^\w+:\/\/[^/]*/, '');
  return ownIdAt(record, idPath) ?? plain ?? readId(link.exec(path)?.[1]);
}

function onlyIdIn(record: unknown): string | undefined {
  const places = [record, readerOf(record)('readonly')].filter(isObject);
  const ids = places.flatMap((place) =>
    Object.entries(place).flatMap(([name, value]) => (/id$/i.test(name) ? (readId(value) ?? []) : [])),
  );
  return ids.length === 1 ? ids[0] : undefined;
}

export const isRecordOf = (record: unknown, { id, ...places }: OwnPlaces & { readonly id: string }): boolean =>
  isSameId(ownIdOf(record, places), id) && !isErrorAnswer(record);

/** GUIDs are written in either case. */
export const isSameId = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase();
