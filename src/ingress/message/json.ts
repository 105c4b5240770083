import { exactNumberIn, parseExactly } from '../../domain/json.ts';
import { quoteLongNumbers, readShape, UnreadableJson } from '../../domain/json-shape.ts';

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

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8 and drops a byte order mark. @throws UnreadableJson for other bytes */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new UnreadableJson(isGzip(bytes) ? 'compressed with gzip; let it be sent without' : 'not UTF-8');
  }
}

/** Reports whether bytes begin as gzip does (RFC 1952). */
const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b;

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
