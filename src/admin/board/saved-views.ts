import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { needs } from '../access.ts';
import { cookiesOf, keepCookie } from './cookies.ts';
import { html, type Markup } from './html.ts';

export interface SavedView {
  readonly name: string;
  readonly query: string;
}

const COOKIE = 'dockline-views';

/** One cookie holds all. */
const MOST = 12;

/** Seconds: a year. */
const KEPT = 31_536_000;

const view = z.object({ name: z.string().trim().min(1).max(40), query: z.string().max(300) });

export function viewsOf(request: FastifyRequest): readonly SavedView[] {
  const [text = ''] = cookiesOf(request, COOKIE);
  try {
    return z
      .array(view)
      .max(MOST)
      .parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch {
    return [];
  }
}

function keepViews(reply: FastifyReply, views: readonly SavedView[]): void {
  const text = Buffer.from(JSON.stringify(views.slice(-MOST))).toString('base64url');
  keepCookie(reply, COOKIE, text, KEPT);
}

const addressOf = (query: string): string => (query === '' ? '/board/subjects' : `/board/subjects?${query}`);

export function savedViewRoutes(app: FastifyInstance): void {
  app.post('/views', needs.read, (request, reply) => {
    const saved = view.parse(request.body);
    keepViews(reply, [...viewsOf(request).filter(({ name }) => name !== saved.name), saved]);
    return reply.redirect(addressOf(saved.query), 303);
  });
  app.post('/views/forget', needs.read, (request, reply) => {
    const { name } = view.pick({ name: true }).parse(request.body);
    keepViews(
      reply,
      viewsOf(request).filter((it) => it.name !== name),
    );
    return reply.redirect('/board/subjects', 303);
  });
}

export function viewForm(query: string, views: readonly SavedView[]): Markup {
  const known = views.find((it) => it.query === query);
  if (known)
    return html`<form method="post" action="/board/views/forget"><input type="hidden" name="name" value="${known.name}"><button class="quiet">Forget this view</button></form>`;
  return html`<button class="chip" type="button" popovertarget="save-view">+ Save view</button><form class="filters" id="save-view" popover method="post" action="/board/views"><input type="hidden" name="query" value="${query}"><label>Name <input name="name" maxlength="40" size="16" required></label> <button>Save</button></form>`;
}
