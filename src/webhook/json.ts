/** Why bytes are not read as JSON. */
export class UnreadableJson extends Error {
  override readonly name = 'UnreadableJson';
}

/** How deep values may be nested; far more than the warehouse needs, far less than recursion can take. */
const DEPTH_LIMIT = 64;

/**
 * Parses JSON that a stranger may have written. Whole numbers beyond 2^53 become strings with all their digits.
 *
 * @throws UnreadableJson for what is no JSON, nested deeper than 64 levels, or has a key twice or the key `__proto__`
 */
export function parseJson(text: string): unknown {
  checkShape(text);
  try {
    // The reviver visits every value, so it is spared where no number is that long.
    return /\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch {
    throw new UnreadableJson('not JSON');
  }
}

/** The text of bytes; a byte order mark is dropped. @throws UnreadableJson for bytes that are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableJson('not UTF-8');
  }
}

function keepDigits(_key: string, value: unknown, context: { readonly source?: string } = {}): unknown {
  const isRounded = typeof value === 'number' && !Number.isSafeInteger(value);
  return isRounded && /^-?\d+$/.test(context.source ?? '') ? context.source : value;
}

/** Walks over the text without recursion, before anything that recurses does. */
function checkShape(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '{' || char === '[') {
      if (open.push(char === '{' ? new Set() : undefined) > DEPTH_LIMIT) {
        throw new UnreadableJson(`nested deeper than ${DEPTH_LIMIT} levels`);
      }
    } else if (char === '}' || char === ']') open.pop();
    else if (char === '"') {
      const end = endOfString(text, at);
      if (isKey(text, end)) noteKey(open.at(-1), text.slice(at, end));
      at = end - 1;
    }
  }
}

/** The index after the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  throw new UnreadableJson('not JSON');
}

function isKey(text: string, end: number): boolean {
  let at = end;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return text[at] === ':';
}

function noteKey(keys: Set<string> | undefined, quoted: string): void {
  const key = quoted.includes('\\') ? decodeKey(quoted) : quoted.slice(1, -1);
  if (key === '__proto__') throw new UnreadableJson('the key "__proto__"');
  if (keys?.has(key)) throw new UnreadableJson('the same key twice');
  keys?.add(key);
}

function decodeKey(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw new UnreadableJson('not JSON');
  }
}
