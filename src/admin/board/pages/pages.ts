import type { FastifyInstance } from 'fastify';
import type { Away } from '../../../temporal/health.ts';
import { callerOf, needs } from '../../access.ts';
import { askedBy, routeOf } from '../../call.ts';
import type { ApiDescription } from '../../installation-routes.ts';
import type { BoardSources } from '../../views/view.ts';
import { views } from '../../views/views.ts';
import { livePage, type Respond, sendFile } from '../responder.ts';
import { apiRoutes } from './api-routes.ts';
import { type BulkRoutesDeps, bulkRoutes } from './bulk-routes.ts';
import { lateOf, nowPage } from './now.ts';
import { type SubjectRoutesDeps, subjectRoutes } from './subject-routes.ts';
import { type ShownTenant, systemPage } from './system.ts';

/** Dependencies of the pages. */
export type PageDeps = SubjectRoutesDeps &
  ApiDescription &
  BulkRoutesDeps &
  BoardSources & {
    readonly tenants: readonly ShownTenant[];
    /** Returns the part that every order needs and that does not answer. */
    readonly findAway: () => Away | undefined;
    readonly hasStageLimits: boolean;
  };

/** Adds every page. */
export function pageRoutes(app: FastifyInstance, deps: PageDeps, respond: Respond): void {
  const { board, tenants, temporalUrl, share, findAway, hasStageLimits } = deps;
  const now = share(async () => {
    const overview = await board.overview();
    return livePage(nowPage, { ...overview, late: lateOf(overview, Date.now()), away: findAway(), hasStageLimits });
  });
  const failing = share(board.failing);

  app.get('/', needs.read, async (_request, reply) => respond(reply, await now()));
  app.get('/system', needs.read, async (_request, reply) =>
    respond(
      reply,
      livePage(systemPage, { tenants, temporalUrl, failing: await failing(), away: findAway(), hasStageLimits }),
    ),
  );
  for (const { path, role, open } of views.flatMap(({ pages }) => pages)) {
    const show = open(deps);
    app.get(routeOf(path), needs[role], async (request, reply) => {
      const shown = await show(askedBy(request), callerOf(request));
      if ('address' in shown) return reply.redirect(shown.address, 303);
      return 'bytes' in shown ? sendFile(reply, shown.name, shown.bytes) : respond(reply, shown);
    });
  }
  subjectRoutes(app, deps, respond);
  bulkRoutes(app, deps, respond);
  apiRoutes(app, deps, respond);
}
