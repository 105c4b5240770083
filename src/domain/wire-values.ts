import { exactNumberIn } from './json.ts';

// Readers of values on the wire, for messages and records alike. A value that is set but says nothing is absent: systems write a
// blank, "null", zero, -1, a GUID of zeros, or the first or last day of their calendar where they have no value.

/** Reads a number or a string as text without blanks around it; undefined for blanks and every other value. */
export function readText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return typeof value === 'string' ? value.trim() || undefined : exactNumberIn(value);
}

/** Texts that are written in place of an id. */
const NOTHING = /^(?:null|undefined|none|nil|nan|n\/a)$/i;

/** Zeros and negative numbers, and a GUID of zeros: no record and no event has such an id. */
const UNSET_ID = /^(?:[+-]?0*(?:\.0*)?|-\d[\d.]*|\{?0{8}(?:-0{4}){3}-0{12}\}?)$/;

/** Reads an id as text, whether it is a number or a string. User -1, which stands for the system, is absent, too. */
export function readId(value: unknown): string | undefined {
  const text = readText(value);
  return text === undefined || NOTHING.test(text) || UNSET_ID.test(text) ? undefined : text;
}

const flags = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Reads a flag, also one that is written as text or as 0 or 1. */
export function readFlag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : flags.get(readText(value)?.toLowerCase() ?? '');
}

/** Reads a number, also one that is written as text. */
export function readNumber(value: unknown): number | undefined {
  const text = readText(value);
  return text !== undefined && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
}

/** First and last year of dates that mean something: years 1, 1753, 1899, 1900, 1970 and 9999 stand for none. */
const FIRST_YEAR = 1971;
const LAST_YEAR = 9998;

const EARLIEST_MS = Date.UTC(FIRST_YEAR, 0);
const END_MS = Date.UTC(LAST_YEAR + 1, 0);

/** Reports whether a time, in milliseconds since the epoch, means something. */
export const hasMeaning = (time: number): boolean => time >= EARLIEST_MS && time < END_MS;

const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})?$/i;

/** Reads a point in time with any number of fraction digits, UTC by default, as milliseconds since the epoch. */
export function readTime(value: unknown): number | undefined {
  const [, date, time, fraction = '', zone = 'Z'] = TIME.exec(readText(value) ?? '') ?? [];
  if (!date) return undefined;
  const parsed = Date.parse(`${date}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}${zone.toUpperCase()}`);
  return hasMeaning(parsed) ? parsed : undefined;
}

/** Date of .NET's older serializer, with milliseconds since the epoch: `/Date(1770828139063)/`. */
const TICKS = /^\/Date\((-?\d+)(?:[+-]\d{4})?\)\/$/;

const YEAR = /(?<!\d)(\d{4})(?!\d)/;

/**
 * Reads whether something has happened from a flag or from the date at which it did, in any notation: `2026-02-11T09:12:00` and `True`
 * are true, `False` is false. A date that stands for none is absent.
 */
export function readHappened(value: unknown): boolean | undefined {
  const flag = readFlag(value);
  if (flag !== undefined) return flag;
  const text = readText(value) ?? '';
  const number = readNumber(TICKS.exec(text)?.[1] ?? text);
  // A number of seconds or of milliseconds since the epoch.
  if (number !== undefined) return number >= EARLIEST_MS / 1000 ? true : undefined;
  const year = Number(YEAR.exec(text)?.[1]);
  return year >= FIRST_YEAR && year <= LAST_YEAR ? true : undefined;
}
