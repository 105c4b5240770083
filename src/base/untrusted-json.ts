import { randomUUID } from 'node:crypto';
import { exactNumber, isObject } from './json.ts';

/** Integers beyond 2^53 become strings. @throws UnreadableJson for invalid JSON, a repeated key, `__proto__`, and beyond the limits */
export function parseJson(text: string, mostValues?: number): unknown {
  const shape = readShape(text, isLong, mostValues);
  return parse(quoteNumbers(text, shape), shape.keys);
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Nobody else writes a text that begins with it. */
const MARK = randomUUID().slice(0, 13);

/** `JSON.stringify` writes every number of the result digit by digit. @throws UnreadableJson as {@link parseJson} does */
export function parseExactly(text: string): unknown {
  const shape = readShape(text, (number) => String(Number(number)) !== number && NUMBER.test(number));
  const value = parse(quoteNumbers(text, shape, MARK), shape.keys);
  return shape.numbers.length === 0 ? value : withNumbers(value);
}

function withNumbers(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(MARK) ? exactNumber(value.slice(MARK.length)) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) value[at] = withNumbers(value[at]);
    return value;
  }
  const members = value as Record<string, unknown>;
  for (const key in members) members[key] = withNumbers(members[key]);
  return value;
}

function parse(text: string, keys: number): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableJson('not JSON');
  }
  // The parser keeps one of two equal keys.
  if (countKeys(value) < keys) throw new UnreadableJson('the same key twice');
  return value;
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const element of value) count += countKeys(element);
    return count;
  }
  for (const key in value) {
    if (key === '__proto__') throw new UnreadableJson('the key "__proto__"');
    count += 1 + countKeys(value[key as keyof typeof value]);
  }
  return count;
}

/** Members of lists and of embedded or linked records are read one by one. */
const BESIDE = /^_/;

/** @throws UnreadableJson for two values under one name, regardless of case: nobody can tell which was meant */
export function refuseTwins(record: unknown): void {
  if (!isObject(record)) return;
  const values = new Map<string, unknown>();
  for (const [key, value] of Object.entries(record)) {
    if (value === null) continue;
    const name = key.toLowerCase();
    if (values.has(name) && values.get(name) !== value) throw new UnreadableJson(`two values for "${name}"`);
    values.set(name, value);
    if (!BESIDE.test(key)) refuseTwins(value);
  }
}

/** Its message quotes nothing of the bytes. */
export class UnreadableJson extends Error {
  override readonly name = 'UnreadableJson';
  /** More values than are read; it may be well-formed. */
  readonly isTooLarge: boolean;

  constructor(message: string, { isTooLarge = false } = {}) {
    super(message);
    this.isTooLarge = isTooLarge;
  }
}

/** Far more than the warehouse needs and far less than recursion allows. */
const DEPTH_LIMIT = 64;

/** Keys and elements, also of many records. Nothing else happens while a text is parsed. */
const VALUES_LIMIT = 300_000;

/** Distinct keys. A resource has a few hundred, and each is expensive in every parser. */
const NAMES_LIMIT = 2000;

/** Nothing that a warehouse keeps is nested so deeply: it is no record that is too large. */
const LEVELS = 'levels';

interface JsonShape {
  readonly keys: number;
  readonly numbers: readonly (readonly [start: number, end: number])[];
}

/** Before a parser recurses and allocates. @throws UnreadableJson beyond the limits, and for an unterminated string */
function readShape(text: string, isWanted: (number: string) => boolean, mostValues: number = VALUES_LIMIT): JsonShape {
  const shape = walk(text, isWanted, mostValues);
  // Collecting keys takes far longer than counting them.
  if (shape.keys > NAMES_LIMIT) {
    const names = new Set<string>();
    const onKey = (quoted: string) => atMost(NAMES_LIMIT, names.add(quoted).size, 'different keys');
    walk(text, () => false, mostValues, onKey);
  }
  return shape;
}

function walk(
  text: string,
  isWanted: (number: string) => boolean,
  mostValues: number,
  onKey?: (quoted: string) => void,
): JsonShape {
  const numbers: [start: number, end: number][] = [];
  let depth = 0;
  let values = 0;
  let keys = 0;
  let start = 0;
  let end = 0;
  for (let at = 0; at < text.length; at = Math.max(at + 1, end)) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      [start, end] = [at, endOfString(text, at)];
    } else if (char === COLON) {
      keys += 1;
      onKey?.(text.slice(start, end));
    } else if (char === COMMA) {
      values += 1;
      atMost(mostValues, values, 'values');
    } else if (char === OPENING_BRACE || char === OPENING_BRACKET) {
      depth += 1;
      values += 1;
      atMost(DEPTH_LIMIT, depth, LEVELS);
      atMost(mostValues, values, 'values');
    } else if (char === CLOSING_BRACE || char === CLOSING_BRACKET) {
      depth -= 1;
    } else if (isNumeric(char)) {
      end = endOfNumber(text, at);
      if (isWanted(text.slice(at, end)) && !isKey(text, end)) numbers.push([at, end]);
    }
  }
  return { keys, numbers };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const COLON = 0x3a;
const COMMA = 0x2c;
const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const SMALL_E = 0x65;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;

function atMost(limit: number, count: number, what: string): void {
  if (count > limit) throw new UnreadableJson(`more than ${limit} ${what}`, { isTooLarge: what !== LEVELS });
}

/** Index after the closing quote. @throws UnreadableJson if there is none */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let first = quote;
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    // An even number of backslashes escapes backslashes only.
    if ((quote - first) % 2 === 0) return quote + 1;
  }
  throw new UnreadableJson('not JSON');
}

/** At the comma, colon or bracket behind the value. */
export function endOfValue(json: string, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at) - 1;
    else if (code === OPENING_BRACE || code === OPENING_BRACKET) depth += 1;
    else if (depth === 0 && (code === COMMA || code === COLON || code === CLOSING_BRACE)) return at;
    else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) depth -= 1;
  }
  return json.length;
}

const isNumeric = (char: number): boolean => (char >= 0x30 && char <= 0x39) || char === MINUS;

const isInNumber = (char: number): boolean => char === POINT || char === PLUS || (char | 0x20) === SMALL_E;

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (isNumeric(text.charCodeAt(at)) || isInNumber(text.charCodeAt(at))) at += 1;
  return at;
}

/** A number in place of a key is not JSON and left alone. */
function isKey(text: string, end: number): boolean {
  let at = end;
  while (text.charCodeAt(at) <= SPACE) at += 1;
  return text.charCodeAt(at) === COLON;
}

const isLong = (number: string): boolean =>
  number.length >= 16 && /^-?[1-9]\d+$/.test(number) && !Number.isSafeInteger(Number(number));

/** Keeps their digits; a reviver would take many times as long. */
function quoteNumbers(text: string, { numbers }: JsonShape, mark = ''): string {
  let quoted = '';
  let last = 0;
  for (const [start, end] of numbers) {
    quoted += `${text.slice(last, start)}"${mark}${text.slice(start, end)}"`;
    last = end;
  }
  return quoted + text.slice(last);
}
