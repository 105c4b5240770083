import { UnreadableJson } from './unreadable-json.ts';

/** How deep values may be nested; far more than the warehouse needs, far less than recursion can take. */
const DEPTH_LIMIT = 64;

/** How many keys and elements there may be: about those of four megabytes that are all order, and what reviving takes long for. */
const VALUES_LIMIT = 300_000;

/** How many different keys there may be. A resource's are a few hundred; each that is new is dear to every parser. */
const NAMES_LIMIT = 5000;

/** What is known of JSON before it is parsed. */
export interface JsonShape {
  /** How many keys all objects have together, those that come twice in one of them counted twice. */
  readonly keys: number;
  /** Where whole numbers beyond 2^53 stand, as ranges of the text in order. */
  readonly longNumbers: readonly (readonly [start: number, end: number])[];
}

/**
 * Walks over JSON without recursion, before anything that recurses or allocates does.
 *
 * @throws UnreadableJson for more than 64 levels, 300,000 values or 5,000 different keys, and for a string without end
 */
export function readShape(text: string): JsonShape {
  const shape = walk(text);
  // Naming keys takes far longer than counting them.
  if (shape.keys > NAMES_LIMIT) walk(text, limitNames());
  return shape;
}

function walk(text: string, onKey?: (quoted: string) => void): JsonShape {
  const longNumbers: [start: number, end: number][] = [];
  let [depth, values, keys] = [0, 0, 0];
  let [start, end] = [0, 0];
  for (let at = 0; at < text.length; at = Math.max(at + 1, end)) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      [start, end] = [at, endOfString(text, at)];
    } else if (char === COLON) {
      keys += 1;
      onKey?.(text.slice(start, end));
    } else if (char === COMMA) {
      values += 1;
      atMost(VALUES_LIMIT, values, 'values');
    } else if (char === OPENING_BRACE || char === OPENING_BRACKET) {
      depth += 1;
      values += 1;
      atMost(DEPTH_LIMIT, depth, 'levels');
      atMost(VALUES_LIMIT, values, 'values');
    } else if (char === CLOSING_BRACE || char === CLOSING_BRACKET) {
      depth -= 1;
    } else if (isNumeric(char)) {
      end = endOfNumber(text, at);
      if (isLong(text, at, end)) longNumbers.push([at, end]);
    }
  }
  return { keys, longNumbers };
}

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [MINUS, PLUS, POINT, SMALL_E] = [0x2d, 0x2b, 0x2e, 0x65];
const [OPENING_BRACE, CLOSING_BRACE, OPENING_BRACKET, CLOSING_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

function atMost(limit: number, count: number, what: string): void {
  if (count > limit) throw new UnreadableJson(`more than ${limit} ${what}`);
}

function limitNames(): (quoted: string) => void {
  const names = new Set<string>();
  return (quoted) => atMost(NAMES_LIMIT, names.add(quoted).size, 'different keys');
}

/** The index after the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let first = quote;
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    // Of an even number of backslashes each second one stands for itself.
    if ((quote - first) % 2 === 0) return quote + 1;
  }
  throw new UnreadableJson('not JSON');
}

/** Whether a number can begin with a character: a digit or the minus. */
const isNumeric = (char: number): boolean => (char >= 0x30 && char <= 0x39) || char === MINUS;

/** Whether a character stands in numbers only further on: the point, the plus, an "e". */
const isInNumber = (char: number): boolean => char === POINT || char === PLUS || (char | 0x20) === SMALL_E;

/** The index after everything that a number could be made of. */
function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (isNumeric(text.charCodeAt(at)) || isInNumber(text.charCodeAt(at))) at += 1;
  return at;
}

/** Whether a whole number would lose digits. Where a key should be it stays what it is: no JSON. */
function isLong(text: string, start: number, end: number): boolean {
  if (end - start < 16) return false;
  const number = text.slice(start, end);
  return /^-?[1-9]\d+$/.test(number) && !Number.isSafeInteger(Number(number)) && !/^\s*:/.test(text.slice(end));
}
