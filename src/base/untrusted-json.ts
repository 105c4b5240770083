import { randomUUID } from 'node:crypto';
import { exactNumber, isObject } from './json.ts';
import { isLong, quoteNumbers, readShape, UnreadableJson } from './json-shape.ts';

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
