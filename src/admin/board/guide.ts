import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { found } from '../../http/problem.ts';
import { needs } from '../access.ts';
import type { Guide, Try } from '../guide.ts';
import { html, type Markup } from './html.ts';

/** Values of the guide on the first page. */
export interface ShownGuide {
  readonly isHidden: boolean;
  readonly tries: readonly Try[];
}

/** Returns the values of a guide. */
export const showGuide = (guide: Guide | undefined, temporalUrl: string | undefined): ShownGuide | undefined =>
  guide && { isHidden: guide.isHidden(), tries: guide.isHidden() ? [] : guide.tries(temporalUrl) };

/** Shows what can be tried, or how to see it again. */
export const guideSection = (guide: ShownGuide | undefined): Markup | undefined => {
  if (!guide) return undefined;
  if (guide.isHidden) return html`<p id="guide">${post('/board/guide/show', 'Show what to try')}</p>`;
  return html`<section class="card guide" id="guide"><h2>A demonstration: things to try</h2>
<p>The warehouse, its orders and the receiver of the announcements are simulated; Dockline and Temporal are real. Nothing here can break.</p>
<ol>${guide.tries.map((it) => html`<li><h3>${it.title}</h3><p>${it.text}</p>${buttonOf(it)}</li>`)}</ol>
${post('/board/guide/hide', 'Hide this')}
</section>`;
};

const buttonOf = ({ leads, button }: Try): Markup =>
  typeof leads === 'string'
    ? html`<a class="button" href="${leads}" target="_blank" rel="noreferrer">${button}</a>`
    : post(leads.address, button, leads.fields);

const post = (address: string, button: string, fields: Readonly<Record<string, string>> = {}): Markup =>
  html`<form method="post" action="${address}">${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button>${button}</button></form>`;

const params = z.object({ name: z.string() });

/** Adds what the buttons of a guide do. */
export function guideRoutes(app: FastifyInstance, guide: Guide, onChange: () => void): void {
  app.post('/guide/:name', needs.act, async (request, reply) => {
    const { name } = params.parse(request.params);
    const isVisibility = name === 'hide' || name === 'show';
    if (isVisibility) guide.hide(name === 'hide');
    const address = isVisibility ? '/board' : found(await guide.act(name), 'The guide has nothing of this name.');
    onChange();
    return reply.redirect(address, 303);
  });
}
