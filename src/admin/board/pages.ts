import type { FastifyInstance } from 'fastify';
import { callerOf, needs } from '../access.ts';
import type { ReadyAction } from '../action.ts';
import { askedBy, routeOf } from '../call.ts';
import type { ApiDescription } from '../description-routes.ts';
import { sendCsv } from '../views/csv.ts';
import { createSourcesOf, type LimitedHealth } from '../views/limited-sources.ts';
import type { BoardSources, View } from '../views/view.ts';
import type { Surroundings } from './layout.ts';
import type { Notice } from './notice.ts';
import { type Respond, sendFile } from './responder.ts';
import { viewsOf } from './saved-views.ts';

export type PageDeps = Pick<ApiDescription, 'createOpenApi'> &
  BoardSources &
  LimitedHealth & {
    readonly views: readonly View[];
    readonly actions: readonly ReadyAction[];
    readonly readPageContext: (sources: BoardSources) => Promise<Surroundings>;
  };

/** The OpenAPI document needs a sign-in. */
export function pageRoutes(app: FastifyInstance, deps: PageDeps, respond: Respond): void {
  const sourcesOf = createSourcesOf(deps);
  const noticeOf = createNotices(deps.actions);
  const surround = prepareOnce((sources) => () => deps.readPageContext(sources));
  for (const { path, role, open } of deps.views.flatMap(({ pages }) => pages)) {
    const prepare = prepareOnce(open);
    app.get(routeOf(path), needs[role], async (request, reply) => {
      const caller = callerOf(request);
      const sources = sourcesOf(caller);
      const asked = askedBy(request);
      const { done, ...query } = asked.query;
      const shown = await prepare(sources)({ ...asked, query, views: viewsOf(request) }, caller);
      if ('address' in shown) return reply.redirect(shown.address, 303);
      if ('csv' in shown) return sendCsv(reply, shown);
      return 'bytes' in shown
        ? sendFile(reply, shown.name, shown.bytes)
        : respond(reply, shown, { ...(await surround(sources)()), done: noticeOf(done) });
    });
  }
  app.get('/openapi.json', needs.read, (_request, reply) =>
    sendFile(reply, 'openapi.json', Buffer.from(JSON.stringify(deps.createOpenApi(), null, 2))),
  );
}

const UNDER_WAY = 'under-way';

function createNotices(actions: readonly ReadyAction[]): (word: unknown) => Notice | undefined {
  const notices: Readonly<Record<string, string>> = Object.assign(
    { [UNDER_WAY]: 'It is being done. What comes of it appears here.' },
    ...actions.map((action) => action.notices),
  );
  return (word) => {
    const text = Object.hasOwn(notices, String(word)) ? notices[String(word)] : undefined;
    return text === undefined
      ? undefined
      : { text, isBad: /^not-|failed$/.test(String(word)), isPending: word === UNDER_WAY };
  };
}

/** For all callers that read the same sources. */
function prepareOnce<Prepared>(open: (sources: BoardSources) => Prepared): (sources: BoardSources) => Prepared {
  const prepared = new Map<BoardSources, Prepared>();
  return (sources) => {
    const known = prepared.get(sources) ?? open(sources);
    prepared.set(sources, known);
    return known;
  };
}
