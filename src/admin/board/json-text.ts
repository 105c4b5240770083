const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/** Deeper levels are written in the line of the last. */
const LEVELS = 20;

/**
 * Writes a JSON text with a line for each member and element. It moves only the space between tokens, so that numbers keep their digits,
 * texts their escapes, and objects the members that they repeat. Returns undefined for what is no object or list in JSON.
 */
export function indentJson(text: string): string | undefined {
  if (!/^\s*[{[]/.test(text) || !isJson(text)) return undefined;
  let depth = 0;
  let before = '';
  let written = '';
  const lineBreak = () => `\n${'  '.repeat(Math.min(depth, LEVELS))}`;
  for (const [token] of text.matchAll(TOKEN)) {
    const isFirst = before === '{' || before === '[';
    const isEnd = token === '}' || token === ']';
    if (isEnd) depth -= 1;
    if (before === ',' || isFirst !== isEnd) written += lineBreak();
    written += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth += 1;
    before = token;
  }
  return written;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
