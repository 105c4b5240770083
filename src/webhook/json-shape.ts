import { UnreadableJson } from './unreadable-json.ts';

/** How deep values may be nested; far more than the warehouse needs, far less than recursion can take. */
const DEPTH_LIMIT = 64;

/** How many keys and elements there may be: about those of four megabytes that are all order, and what reviving takes long for. */
const VALUES_LIMIT = 300_000;

/** How many different keys there may be. A resource's are a few hundred; each that is new is dear to every parser. */
const NAMES_LIMIT = 5000;

/** What is known of JSON before it is parsed. */
export interface JsonShape {
  /** Where whole numbers beyond 2^53 stand, as ranges of the text in order. */
  readonly longNumbers: readonly (readonly [start: number, end: number])[];
}

/**
 * Walks over JSON once, without recursion, before anything that recurses or allocates does.
 *
 * @throws UnreadableJson for more than 64 levels, 300,000 values or 5,000 different keys, for a key twice in one object, for the
 *   key `__proto__`, and for a string without end
 */
export function readShape(text: string): JsonShape {
  const open: (Set<string> | undefined)[] = [];
  const names = new Set<string>();
  const longNumbers: [start: number, end: number][] = [];
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string;
    if (char === '{' || char === '[') {
      atMost(DEPTH_LIMIT, open.push(char === '{' ? new Set() : undefined), 'levels');
      values += 1;
    } else if (char === '}' || char === ']') open.pop();
    else if (char === ',') values += 1;
    else if (char === '"') {
      const end = endOfString(text, at);
      if (isKey(text, end)) noteKey(open.at(-1), names, text.slice(at, end));
      at = end - 1;
    } else if (isNumeric(char)) {
      const end = endOfNumber(text, at);
      if (isLong(text, at, end)) longNumbers.push([at, end]);
      at = end - 1;
    }
    atMost(VALUES_LIMIT, values, 'values');
  }
  return { longNumbers };
}

function atMost(limit: number, count: number, what: string): void {
  if (count > limit) throw new UnreadableJson(`more than ${limit} ${what}`);
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

const BACKSLASH = 0x5c;

function isKey(text: string, end: number): boolean {
  let at = end;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return text[at] === ':';
}

function noteKey(keys: Set<string> | undefined, names: Set<string>, quoted: string): void {
  const key = quoted.includes('\\') ? decodeKey(quoted) : quoted.slice(1, -1);
  if (key === '__proto__') throw new UnreadableJson('the key "__proto__"');
  if (keys?.has(key)) throw new UnreadableJson('the same key twice');
  keys?.add(key);
  atMost(NAMES_LIMIT, names.add(key).size, 'different keys');
}

function decodeKey(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw new UnreadableJson('not JSON');
  }
}

const isNumeric = (char: string): boolean => (char >= '0' && char <= '9') || char === '-';

/** The index after everything that a number could be made of. */
function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && '0123456789.eE+-'.includes(text[at] as string)) at += 1;
  return at;
}

/** Whether a whole number would lose digits. Where a key should be it stays what it is: no JSON. */
function isLong(text: string, start: number, end: number): boolean {
  if (end - start < 16) return false;
  const number = text.slice(start, end);
  return /^-?[1-9]\d+$/.test(number) && !Number.isSafeInteger(Number(number)) && !isKey(text, end);
}
