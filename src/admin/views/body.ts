import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { plural } from '../../base/text.ts';
import { parseExactly } from '../../base/untrusted-json.ts';
import { type Caller, may } from '../access.ts';
import { html, type Markup } from '../board/html.ts';
import { number } from '../board/text.ts';
import type { BoardFile } from './view.ts';

/** With every number digit by digit. Undefined for what is no object or list in JSON, or cannot be read. */
export function indentJson(text: string): string | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.stringify(parseExactly(text), null, 2);
  } catch {
    return undefined;
  }
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
<p class="muted">${plural(bytes.length, 'byte')}${bytes.length > SHOWN && `, of which the first ${number(SHOWN)} are shown`}. <a href="${file}" download>Download</a></p>
${formatted !== undefined && folded('formatted', 'Formatted', formatted, true)}
${folded('as-sent', isText ? 'As sent' : 'As sent, in hexadecimal', sent)}
</section>`;
}

const folded = (id: string, name: string, text: string, isOpen = false): Markup =>
  html`<details name="body"${isOpen && html` open`}><summary>${name}</summary>
<pre class="body" tabindex="0" role="region" aria-label="Body: ${name}"><code dir="ltr" id="${id}">${text}</code></pre></details>`;
