import type { FastifyInstance } from 'fastify';
import type { Health } from '../../../health/health.ts';
import { callerOf, needs } from '../../access.ts';
import { actions } from '../../actions.ts';
import type { Bulk } from '../../bulk/bulk.ts';
import { bulkRoutes } from '../../bulk-routes.ts';
import { askedBy, routeOf } from '../../call.ts';
import { sendCsv } from '../../csv-answer.ts';
import type { ApiDescription } from '../../description-routes.ts';
import { findBulk } from '../../views/bulk/row.ts';
import { createSourcesOf } from '../../views/limited-sources.ts';
import { readPageContext } from '../../views/page-context.ts';
import type { BoardSources } from '../../views/view.ts';
import { views } from '../../views/views.ts';
import { bulkAddress } from '../addresses.ts';
import type { Notice } from '../notice.ts';
import { type Respond, sendFile } from '../responder.ts';
import { viewsOf } from '../saved-views.ts';
import { readBulkForm } from './bulk.ts';

export type PageDeps = Pick<ApiDescription, 'createOpenApi'> &
  BoardSources & {
    readonly bulk: Bulk;
    readonly health: Health;
  };

/** Adds every page, and the OpenAPI document for those who have signed in. */
export function pageRoutes(app: FastifyInstance, deps: PageDeps, respond: Respond): void {
  const sourcesOf = createSourcesOf(deps);
  const surround = prepareOnce((sources) => deps.share(() => readPageContext(sources)));
  for (const { path, role, open } of views.flatMap(({ pages }) => pages)) {
    const prepare = prepareOnce(open);
    app.get(routeOf(path), needs[role], async (request, reply) => {
      const caller = callerOf(request);
      const sources = sourcesOf(caller);
      const asked = askedBy(request);
      const query = { ...asked.query, done: noticeOf(asked.query.done) };
      const shown = await prepare(sources)({ ...asked, query, views: viewsOf(request) }, caller);
      if ('address' in shown) return reply.redirect(shown.address, 303);
      if ('csv' in shown) return sendCsv(reply, shown);
      return 'bytes' in shown
        ? sendFile(reply, shown.name, shown.bytes)
        : respond(reply, shown, await surround(sources)());
    });
  }
  bulkRoutes(app, deps.bulk, {
    read: readBulkForm,
    answer: (reply, { id }) => reply.redirect(bulkAddress(id), 303),
    findOwn: (id, caller) => findBulk(sourcesOf(caller).reads, id),
  });
  app.get('/openapi.json', needs.read, (_request, reply) =>
    sendFile(reply, 'openapi.json', Buffer.from(JSON.stringify(deps.createOpenApi(), null, 2))),
  );
}

/** Word for an action that goes on. */
const UNDER_WAY = 'under-way';

/** Sentences after actions, by the words in addresses. */
const notices: Readonly<Record<string, string>> = Object.assign(
  { [UNDER_WAY]: 'It is being done. What comes of it appears here.' },
  ...actions.map((action) => action.notices),
);

/** Returns the notice that a word stands for. */
function noticeOf(word: unknown): Notice | undefined {
  const text = Object.hasOwn(notices, String(word)) ? notices[String(word)] : undefined;
  return text === undefined
    ? undefined
    : { text, isBad: /^not-|failed$/.test(String(word)), isPending: word === UNDER_WAY };
}

/** Prepares something once for all who read the same sources. */
function prepareOnce<Prepared>(open: (sources: BoardSources) => Prepared): (sources: BoardSources) => Prepared {
  const prepared = new Map<BoardSources, Prepared>();
  return (sources) => {
    const known = prepared.get(sources) ?? open(sources);
    prepared.set(sources, known);
    return known;
  };
}
