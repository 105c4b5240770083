import { isExactNumber } from '../../domain/exact-json.ts';
import { readShape } from './json-shape.ts';
import { UnreadableJson } from './unreadable-json.ts';

/**
 * Parses JSON that a stranger may have written. Whole numbers beyond 2^53 become strings with all their digits.
 *
 * @throws UnreadableJson for what is no JSON, for a key twice in one object, for the key `__proto__`, and for what goes beyond what
 *   {@link readShape} lets through
 */
export function parseJson(text: string): unknown {
  const { longNumbers, keys } = readShape(text);
  return parse(longNumbers.length === 0 ? text : quote(text, longNumbers), keys, JSON.parse);
}

/** Parses by the given function what the same guards let through. @throws UnreadableJson */
export function parseGuarded(text: string, parser: (text: string) => unknown): unknown {
  return parse(text, readShape(text).keys, parser);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of bytes; a byte order mark is dropped. @throws UnreadableJson for bytes that are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new UnreadableJson('not UTF-8');
  }
}

function parse(text: string, keys: number, parser: (text: string) => unknown): unknown {
  const value = tryToParse(text, parser);
  // Of a key that came twice the parser kept one.
  if (countKeys(value) < keys) throw new UnreadableJson('the same key twice');
  return value;
}

function tryToParse(text: string, parser: (text: string) => unknown): unknown {
  try {
    return parser(text);
  } catch {
    throw new UnreadableJson('not JSON');
  }
}

/** How many keys a parsed value has, at every depth. @throws UnreadableJson for the key `__proto__` */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return 0;
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

/** Makes strings of parts of a text; a reviver would take a thousand times as long for a long list. */
function quote(text: string, parts: readonly (readonly [start: number, end: number])[]): string {
  const pieces = parts.flatMap(([start, end], index) => [
    text.slice(parts[index - 1]?.[1] ?? 0, start),
    `"${text.slice(start, end)}"`,
  ]);
  return pieces.join('') + text.slice(parts.at(-1)?.[1]);
}
