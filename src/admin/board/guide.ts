import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { found } from '../../http/problem.ts';
import { needs } from '../access.ts';
import type { Guide, Try } from '../guide.ts';
import { html, type Markup } from './html.ts';

export const guideDrawer = (
  tries: readonly Try[],
): Markup => html`<aside class="drawer stack" id="guide" popover aria-labelledby="guide-title">
<div class="head"><h2 id="guide-title">Things to try</h2><div class="actions"><button class="quiet" type="button" popovertarget="guide">Close</button></div></div>
<p class="muted">The warehouse, its orders and the receivers are simulated; Dockline and Temporal are real. Nothing here can break. ${triedOf(tries)}.</p>
<ol class="stack">${tries.map(
  (it) =>
    html`<li class="card"><h3>${it.title}${it.isTried && html` <span class="good">✓<span class="aside"> tried</span></span>`}</h3><p class="muted">${it.text}</p>${buttonOf(it)}</li>`,
)}</ol>
</aside>`;

export const triedOf = (tries: readonly Try[]): string =>
  `${tries.filter(({ isTried }) => isTried).length} of ${tries.length} tried`;

const addressOf = ({ name }: Try): string => `/board/guide/${name}`;

function buttonOf(it: Try): Markup {
  if (it.isElsewhere) return html`<a class="button" href="${addressOf(it)}" target="_blank">${it.button}</a>`;
  const fields = Object.entries(it.fields ?? {});
  return html`<form method="post" action="${addressOf(it)}">${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button>${it.button}</button></form>`;
}

const params = z.object({ name: z.string() });

export function guideRoutes(app: FastifyInstance, guide: Guide, onChange: () => void): void {
  // Opening a page changes nothing, so a link may lead to it.
  app.get('/guide/:name', needs.read, async (request, reply) => {
    const address = found(guide.open(params.parse(request.params).name), 'The guide opens no page of this name.');
    onChange();
    return reply.redirect(address, 303);
  });
  // 307 sends the form on as it is.
  app.post('/guide/:name', needs.act, async (request, reply) => {
    const address = found(await guide.act(params.parse(request.params).name), 'The guide has nothing of this name.');
    onChange();
    return reply.redirect(address, address === '/board/bulk' ? 307 : 303);
  });
}
