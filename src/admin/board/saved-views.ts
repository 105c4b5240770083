import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { needs } from '../access.ts';
import { html, type Markup } from './html.ts';

/** Filters of a list that somebody has given a name: its query, as an address has it. */
export interface SavedView {
  readonly name: string;
  readonly query: string;
}

/** Cookie with the views of a browser. */
const COOKIE = 'dockline-views';

/** Most views of a browser, which have to fit into a cookie. */
const MOST = 12;

/** Time for which they are kept, in seconds: a year, as browsers allow. */
const KEPT = 31_536_000;

const view = z.object({ name: z.string().trim().min(1).max(40), query: z.string().max(300) });

/** Returns the views that the browser of a request keeps. */
export function viewsOf({ headers }: FastifyRequest): readonly SavedView[] {
  const [, text = ''] = new RegExp(`(?:^|; *)${COOKIE}=([\\w-]+)`).exec(headers.cookie ?? '') ?? [];
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
  reply.header('set-cookie', `${COOKIE}=${text}; Path=/board; Max-Age=${KEPT}; HttpOnly; SameSite=Strict`);
}

const addressOf = (query: string): string => (query === '' ? '/board/subjects' : `/board/subjects?${query}`);

/** Adds the forms that save a view of the list of orders in the reader's browser, and forget one. */
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

/** Shows the form that gives the filters of a list a name, or forgets the view that they are. */
export function viewForm(query: string, views: readonly SavedView[]): Markup {
  const known = views.find((it) => it.query === query);
  if (known)
    return html`<form method="post" action="/board/views/forget"><input type="hidden" name="name" value="${known.name}"><button class="quiet">Forget this view</button></form>`;
  return html`<details class="ask"><summary class="chip">+ Save view</summary><form method="post" action="/board/views"><input type="hidden" name="query" value="${query}"><label>Name <input name="name" maxlength="40" size="16" required></label> <button>Save</button></form></details>`;
}
