import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { parseJson } from '../../base/json.ts';
import { plural } from '../../base/text.ts';
import { type Caller, may } from '../access.ts';
import { html, type Markup } from '../board/html.ts';
import { number } from '../board/text.ts';
import type { BoardFile } from './view.ts';

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/** Deeper levels are written in the line of the last. */
const LEVELS = 20;

/** Moves only the space between tokens, so that numbers keep their digits. Undefined for what is no object or list in JSON. */
export function indentJson(text: string): string | undefined {
  if (!/^\s*[{[]/.test(text) || parseJson(text) === undefined) return undefined;
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

export const bodyMembers = {
  body: z.string().nullable().describe('Null if it has been purged.'),
  encoding: z.enum(['utf-8', 'base64']),
};

type ShownBody = z.output<z.ZodObject<typeof bodyMembers>>;

export function readBody(stored: Uint8Array): ShownBody {
  const bytes = Buffer.from(stored);
  if (bytes.length === 0) return { body: null, encoding: 'utf-8' };
  const encoding = isUtf8(bytes) ? 'utf-8' : 'base64';
  return { body: bytes.toString(encoding), encoding };
}

export const fileOf = (name: string, { body, encoding }: ShownBody): BoardFile => ({
  name,
  bytes: Buffer.from(body ?? '', encoding),
});

/** Bytes; the file has all. */
const SHOWN = 200_000;

export function bodySection(shown: ShownBody, file: string, caller: Caller): Markup {
  if (!may(caller, 'bodies'))
    return html`<section><h2 id="body">Body</h2><p class="empty">Your token does not show bodies.</p></section>`;
  if (shown.body === null)
    return html`<section><h2 id="body">Body</h2><p class="empty">Purged after its retention period.</p></section>`;
  const { bytes } = fileOf('', shown);
  const isText = shown.encoding === 'utf-8';
  const first = Buffer.from(bytes.subarray(0, SHOWN));
  const sent = isText ? first.toString() : first.toString('hex').replaceAll(/(.{2})/g, '$1 ');
  const formatted = bytes.length > SHOWN ? undefined : indentJson(sent);
  return html`<section><h2 id="body">Body</h2>
<p class="muted">${plural(bytes.length, 'byte')}${bytes.length > SHOWN && `, of which the first ${number(SHOWN)} are shown`}. <a href="${file}" download>Download</a>${isText && html` <button type="button" data-copies="as-sent">Copy as sent</button>`}</p>
${formatted !== undefined && folded('formatted', 'Formatted', formatted, true)}
${folded('as-sent', isText ? 'As sent' : 'As sent, in hexadecimal', sent)}
</section>`;
}

const folded = (id: string, name: string, text: string, isOpen = false): Markup =>
  html`<details name="body"${isOpen && html` open`}><summary>${name}</summary>
<pre class="body" tabindex="0" role="region" aria-label="Body: ${name}"><code dir="ltr" id="${id}">${text}</code></pre></details>`;
