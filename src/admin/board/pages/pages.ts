import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../../store/schema.ts';
import type { Away } from '../../../temporal/health.ts';
import { callerOf, needs } from '../../access.ts';
import type { ApiDescription } from '../../installation-routes.ts';
import { listPages } from '../../views/lists.ts';
import { livePage, type Respond } from '../responder.ts';
import type { SharedValues } from '../shared-values.ts';
import { type AnnouncementRoutesDeps, announcementRoutes } from './announcement-routes.ts';
import { apiRoutes } from './api-routes.ts';
import { type BulkRoutesDeps, bulkRoutes } from './bulk-routes.ts';
import { type DeliveryRoutesDeps, deliveryRoutes } from './delivery-routes.ts';
import { lateOf, nowPage } from './now.ts';
import { type SubjectRoutesDeps, subjectRoutes } from './subject-routes.ts';
import { type ShownTenant, systemPage } from './system.ts';

/** Dependencies of the pages. */
export type PageDeps = SubjectRoutesDeps &
  AnnouncementRoutesDeps &
  DeliveryRoutesDeps &
  ApiDescription &
  BulkRoutesDeps & {
    readonly reads: Kysely<Database>;
    readonly tenants: readonly ShownTenant[];
    readonly shared: SharedValues;
    /** Returns the part that every order needs and that does not answer. */
    readonly findAway: () => Away | undefined;
    readonly hasStageLimits: boolean;
  };

/** Adds every page. */
export function pageRoutes(app: FastifyInstance, deps: PageDeps, respond: Respond): void {
  const { board, tenants, temporalUrl, reads, shared, findAway, hasStageLimits } = deps;
  const now = shared.share(async () => {
    const overview = await board.overview();
    return livePage(nowPage, { ...overview, late: lateOf(overview, Date.now()), away: findAway(), hasStageLimits });
  });
  const failing = shared.share(board.failing);

  app.get('/', needs.read, async (_request, reply) => respond(reply, await now()));
  app.get('/system', needs.read, async (_request, reply) =>
    respond(
      reply,
      livePage(systemPage, { tenants, temporalUrl, failing: await failing(), away: findAway(), hasStageLimits }),
    ),
  );
  for (const [path, { list, usual }] of Object.entries(listPages)) {
    const address = `/board${path}`;
    app.get(path, needs.read, async (request, reply) => {
      const query = request.query as Record<string, unknown>;
      return respond(
        reply,
        await list.show(reads, query, { caller: callerOf(request), address, ...(usual && { usual }) }),
      );
    });
  }
  subjectRoutes(app, deps, respond);
  announcementRoutes(app, deps, respond);
  deliveryRoutes(app, deps, respond);
  bulkRoutes(app, deps, respond);
  apiRoutes(app, deps, respond);
}
