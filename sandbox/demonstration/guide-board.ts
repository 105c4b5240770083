import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { needs } from '../../src/admin/access.ts';
import { html, type Markup } from '../../src/admin/board/html.ts';
import type { Guide } from '../../src/admin/board/layout.ts';
import { found } from '../../src/http/problem.ts';

/** Something to try, with the button that does it. */
export interface Try {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly isTried: boolean;
  /** Opens a page instead of doing something. */
  readonly isElsewhere?: boolean;
  readonly fields?: Readonly<Record<string, string>>;
}

/** Things to try. */
export interface Tries {
  list(temporalUrl: string | undefined): readonly Try[];
  /** Marks it as tried; returns the page that shows the result, undefined for an unknown name. */
  act(name: string): Promise<string | undefined>;
  open(name: string): string | undefined;
}

/** Shows things to try in a drawer of the board. */
export const guideTo = (tries: Tries): Guide => ({
  drawer(temporalUrl) {
    const listed = tries.list(temporalUrl);
    return { label: triedOf(listed), content: drawerOf(listed) };
  },
  addRoutes: (app, onChange) => addRoutes(app, tries, onChange),
});

const drawerOf = (
  tries: readonly Try[],
): Markup => html`<aside class="drawer stack" id="guide" popover aria-labelledby="guide-title">
<div class="head"><h2 id="guide-title">Things to try</h2><div class="actions"><button class="quiet" type="button" popovertarget="guide">Close</button></div></div>
<p class="muted">The warehouse, its orders and the receivers are simulated; Dockline and Temporal are real. Nothing here can break. ${triedOf(tries)}.</p>
<ol class="stack">${tries.map(
  (it) =>
    html`<li class="card"><h3>${it.title}${it.isTried && html` <span class="good">✓<span class="aside"> tried</span></span>`}</h3><p class="muted">${it.text}</p>${buttonOf(it)}</li>`,
)}</ol>
</aside>`;

const triedOf = (tries: readonly Try[]): string =>
  `${tries.filter(({ isTried }) => isTried).length} of ${tries.length} tried`;

const addressOf = ({ name }: Try): string => `/board/guide/${name}`;

function buttonOf(it: Try): Markup {
  if (it.isElsewhere) return html`<a class="button" href="${addressOf(it)}" target="_blank">${it.button}</a>`;
  const fields = Object.entries(it.fields ?? {});
  return html`<form method="post" action="${addressOf(it)}">${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button>${it.button}</button></form>`;
}

const params = z.object({ name: z.string() });

function addRoutes(app: FastifyInstance, tries: Tries, onChange: () => void): void {
  // Opening a page changes nothing, so a link may lead to it.
  app.get('/guide/:name', needs.read, async (request, reply) => {
    const address = found(tries.open(params.parse(request.params).name), 'The guide opens no page of this name.');
    onChange();
    return reply.redirect(address, 303);
  });
  // 307 sends the form on as it is.
  app.post('/guide/:name', needs.act, async (request, reply) => {
    const address = found(await tries.act(params.parse(request.params).name), 'The guide has nothing of this name.');
    onChange();
    return reply.redirect(address, address === '/board/bulk' ? 307 : 303);
  });
}
