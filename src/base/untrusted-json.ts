import { exactNumberIn, isObject, parseExactly } from './json.ts';
import { quoteLongNumbers, readShape, UnreadableJson } from './json-shape.ts';

/**
 * Parses untrusted JSON. Integers beyond 2^53 become strings with all their digits.
 *
 * @throws UnreadableJson for invalid JSON, a repeated key, the key `__proto__`, and a text beyond the limits of {@link readShape}
 */
export function parseJson(text: string): unknown {
  const shape = readShape(text);
  return parse(quoteLongNumbers(text, shape), shape.keys, JSON.parse);
}

/** Parses untrusted JSON as {@link parseExactly} does, with the same checks. @throws UnreadableJson */
export const parseExactJson = (text: string): unknown => parse(text, readShape(text).keys, parseExactly);

function parse(text: string, keys: number, parser: (text: string) => unknown): unknown {
  let value: unknown;
  try {
    value = parser(text);
  } catch {
    throw new UnreadableJson('not JSON');
  }
  // The parser keeps one of two equal keys.
  if (countKeys(value) < keys) throw new UnreadableJson('the same key twice');
  return value;
}

/** Counts the keys of a parsed value at every depth. @throws UnreadableJson for the key `__proto__` */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null || exactNumberIn(value) !== undefined) return 0;
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

/** Lists and what a record embeds or links have members of their own, which are read one by one. */
const BESIDE = /^_/;

/**
 * Refuses an object that has two values under one name, regardless of case: as with a repeated key, nobody can tell which was meant.
 * @throws UnreadableJson
 */
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
