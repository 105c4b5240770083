import { isUtf8 } from 'node:buffer';
import type { FastifyReply } from 'fastify';
import { type Caller, may } from '../../access.ts';
import { html, type Markup } from '../html.ts';
import { plural } from '../text.ts';

/** Bytes of a body that a page shows; the file has all. */
const SHOWN = 200_000;

/** Shows a body as it was received or sent, with a link to its bytes, if the caller may read it. */
export function bodySection(body: Uint8Array, file: string, caller: Caller): Markup {
  if (!may(caller, 'bodies'))
    return html`<section><h2 id="body">Body</h2><p class="empty">Your token does not show bodies.</p></section>`;
  if (body.byteLength === 0)
    return html`<section><h2 id="body">Body</h2><p class="empty">It was purged, as its retention says.</p></section>`;
  const bytes = Buffer.from(body);
  const shown = bytes.subarray(0, SHOWN);
  return html`<section><h2 id="body">Body</h2>
<p class="muted">${plural(bytes.length, 'byte')}${bytes.length > SHOWN && `, of which the first ${SHOWN} are shown`}. <a href="${file}" download>Download</a></p>
<pre class="body" tabindex="0" role="region" aria-labelledby="body"><code dir="ltr">${isUtf8(bytes) ? shown.toString() : shown.toString('hex').replaceAll(/(.{2})/g, '$1 ')}</code></pre>
</section>`;
}

/** Sends bytes as a file to keep, so that no browser interprets them. */
export const sendFile = (reply: FastifyReply, name: string, bytes: Uint8Array): FastifyReply =>
  reply
    .type('application/octet-stream')
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}"`)
    .send(Buffer.from(bytes));
