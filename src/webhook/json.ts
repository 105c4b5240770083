import { readShape } from './json-shape.ts';
import { UnreadableJson } from './unreadable-json.ts';

/**
 * Parses JSON that a stranger may have written. Whole numbers beyond 2^53 become strings with all their digits.
 *
 * @throws UnreadableJson for what is no JSON, or goes beyond what {@link readShape} lets through
 */
export function parseJson(text: string): unknown {
  const { longNumbers } = readShape(text);
  return parse(longNumbers.length === 0 ? text : quote(text, longNumbers), JSON.parse);
}

/** Parses by the given function what the same guards let through. @throws UnreadableJson */
export function parseGuarded(text: string, parser: (text: string) => unknown): unknown {
  readShape(text);
  return parse(text, parser);
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

function parse(text: string, parser: (text: string) => unknown): unknown {
  try {
    return parser(text);
  } catch {
    throw new UnreadableJson('not JSON');
  }
}

/** Makes strings of parts of a text; a reviver would take a thousand times as long for a long list. */
function quote(text: string, parts: readonly (readonly [start: number, end: number])[]): string {
  const pieces = parts.flatMap(([start, end], index) => [
    text.slice(parts[index - 1]?.[1] ?? 0, start),
    `"${text.slice(start, end)}"`,
  ]);
  return pieces.join('') + text.slice(parts.at(-1)?.[1]);
}
