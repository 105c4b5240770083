import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../../store/schema.ts';
import { callerOf, needs } from '../../access.ts';
import type { ApiDescription } from '../../installation-routes.ts';
import { listPages } from '../../views/lists.ts';
import { livePage, type Respond } from '../responder.ts';
import type { SharedValues } from '../shared-values.ts';
import { type AnnouncementRoutesDeps, announcementRoutes } from './announcement-routes.ts';
import { apiRoutes } from './api-routes.ts';
import { type BulkRoutesDeps, bulkRoutes } from './bulk-routes.ts';
import { type DeliveryRoutesDeps, deliveryRoutes } from './delivery-routes.ts';
import { nowPage } from './now.ts';
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
  };

/** Adds every page. */
export function pageRoutes(app: FastifyInstance, deps: PageDeps, respond: Respond): void {
  const { board, tenants, temporalUrl, reads, shared } = deps;
  const now = shared.share(async () => livePage(nowPage, await board.overview()));
  const failing = shared.share(board.failing);

  app.get('/', needs.read, async (_request, reply) => respond(reply, await now()));
  app.get('/system', needs.read, async (_request, reply) =>
    respond(reply, livePage(systemPage, { tenants, temporalUrl, failing: await failing() })),
  );
  for (const [path, { list, fixed }] of Object.entries(listPages)) {
    const address = `/board${path}`;
    app.get(path, needs.read, async (request, reply) => {
      const query = request.query as Record<string, unknown>;
      return respond(
        reply,
        await list.show(reads, query, { caller: callerOf(request), address, ...(fixed && { fixed }) }),
      );
    });
  }
  subjectRoutes(app, deps, respond);
  announcementRoutes(app, deps, respond);
  deliveryRoutes(app, deps, respond);
  bulkRoutes(app, deps, respond);
  apiRoutes(app, deps, respond);
}
