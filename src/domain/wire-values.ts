import { exactNumberIn } from '../base/json.ts';
import { DAY_MS } from '../base/moment.ts';
import { readWrittenTime, utcOf } from '../base/written-time.ts';

// Readers of values on the wire, for messages and records alike. A value that is set but says nothing is absent: systems write a
// blank, "null", zero, -1, a GUID of zeros, or the first or last day of their calendar where they have no value.

/** Reads a number or a string as text without blanks around it; undefined for blanks and every other value. */
export function readText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return typeof value === 'string' ? value.trim() || undefined : exactNumberIn(value);
}

/** Words that are written in place of an id, without what is between their letters: `n/a` and `N.A.` are `na`. */
const NOTHING = /^(?:null|undefined|none|nil|nan|na|empty|unset|unknown)$/i;

/** A word in brackets or between signs is the name of a value that nobody has put there: `(null)`, `{id}`, `%ORDER_ID%`, `$id`. */
const PLACEHOLDER = /^[^\p{L}\p{N}]+\p{L}[\p{L}_ .-]*(?:[^\p{L}\p{N}_ .-][^\p{L}\p{N}]*)?$/u;

/** A number below zero; -1 stands for the system. */
const NEGATIVE = /^-\d[\d.]*$/;

/**
 * Reads an id as text, whether it is a number or a string. One that says nothing is absent: without any letter and any digit but zero, whatever
 * signs are around them, a word for nothing, a placeholder, and a number below zero.
 */
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

/** Reads a flag, also one that is written as text or as 0 or 1. */
export function readFlag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : flags.get(readText(value)?.toLowerCase() ?? '');
}

/** Reads a number, also one that is written as text. */
export function readNumber(value: unknown): number | undefined {
  const text = readText(value);
  return text !== undefined && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
}

/** First and last year of dates that mean something: years 1, 1753, 1899, 1900, 1970, 2079, 2099, 2999 and 9999 stand for none. */
const FIRST_YEAR = 1971;
const LAST_YEAR = 2078;

const EARLIEST_MS = Date.UTC(FIRST_YEAR, 0);
const END_MS = Date.UTC(LAST_YEAR + 1, 0);

/** Reports whether a time, in milliseconds since the epoch, means something. */
export const hasMeaning = (time: number): boolean => time >= EARLIEST_MS && time < END_MS;

/** Reads a point in time, UTC by default, as milliseconds since the epoch. A day alone is none. */
export function readTime(value: unknown): number | undefined {
  const written = readWrittenTime(readText(value) ?? '');
  if (written?.clock === undefined) return undefined;
  const time = utcOf(written);
  return hasMeaning(time) ? time : undefined;
}

/** Date of .NET's older serializer, with milliseconds since the epoch: `/Date(1770828139063)/`. */
const TICKS = /^\/Date\((-?\d+)(?:[+-]\d{4})?\)\/$/;

const YEAR = /(?<!\d)(\d{4})(?!\d)/;

/** Numbers below it are seconds since the epoch, also of the year 9999, the others milliseconds, from 2001 on. */
const SECONDS_BELOW = 1e12;

/**
 * Reads whether something has happened from a flag or from the date at which it did, in any notation: `2026-02-11T09:12:00` and `True`
 * are true, `False` is false. A date that stands for none is absent, and so is one after tomorrow, however clocks and zones differ.
 */
export function readHappened(value: unknown, now = Date.now()): boolean | undefined {
  const flag = readFlag(value);
  if (flag !== undefined) return flag;
  const time = earliestOf(readText(value) ?? '');
  return time !== undefined && hasMeaning(time) && time < endOfTomorrow(now) ? true : undefined;
}

/** Returns the earliest time, in milliseconds since the epoch, that a text may stand for; in a notation that is not known, that of its year. */
function earliestOf(text: string): number | undefined {
  const number = readNumber(TICKS.exec(text)?.[1] ?? text);
  if (number !== undefined) return number < SECONDS_BELOW ? number * 1000 : number;
  const written = readWrittenTime(text);
  const year = YEAR.exec(text)?.[1];
  if (written) return utcOf(written);
  return year === undefined ? undefined : Date.UTC(Number(year), 0);
}

/**
 * Reads a date or a time as it is written, as `2026-02-13` or `2026-02-13T15:30:00`, with its offset if it has one; also of .NET's older
 * serializer, which writes UTC. One that stands for none is absent.
 */
export function readDate(value: unknown): string | undefined {
  const text = readText(value) ?? '';
  const ticks = Number(TICKS.exec(text)?.[1] ?? Number.NaN);
  const written = readWrittenTime(hasMeaning(ticks) ? new Date(ticks).toISOString() : text);
  if (!written || !hasMeaning(utcOf(written))) return undefined;
  const { day, clock, offset = '' } = written;
  return clock === undefined ? day : `${day}T${clock.replace(/\.000$/, '')}${offset}`;
}

const endOfTomorrow = (now: number): number => (Math.floor(now / DAY_MS) + 2) * DAY_MS;
