import type { FastifyInstance } from 'fastify';
import { needs } from '../../access.ts';
import type { AuditLog } from '../../audit.ts';
import type { ApiDescription } from '../../installation-routes.ts';
import { listAddress } from '../addresses.ts';
import { livePage, type Respond } from '../responder.ts';
import type { SharedValues } from '../shared-values.ts';
import { type AnnouncementRoutesDeps, announcementRoutes } from './announcement-routes.ts';
import { apiRoutes } from './api-routes.ts';
import { auditPage } from './audit.ts';
import { type BulkRoutesDeps, bulkRoutes } from './bulk-routes.ts';
import { type DeliveryRoutesDeps, deliveryRoutes } from './delivery-routes.ts';
import { nowPage } from './now.ts';
import { auditQuery, listPage, ROWS } from './queries.ts';
import { type SubjectRoutesDeps, subjectRoutes } from './subject-routes.ts';
import { type ShownTenant, systemPage } from './system.ts';

/** Dependencies of the pages. */
export type PageDeps = SubjectRoutesDeps &
  AnnouncementRoutesDeps &
  DeliveryRoutesDeps &
  ApiDescription &
  BulkRoutesDeps & {
    readonly audit: Pick<AuditLog, 'list'>;
    readonly tenants: readonly ShownTenant[];
    readonly shared: SharedValues;
  };

/** Adds every page. */
export function pageRoutes(app: FastifyInstance, deps: PageDeps, respond: Respond): void {
  const { board, tenants, temporalUrl, audit, shared } = deps;
  const now = shared.share(async () => livePage(nowPage, await board.overview()));
  const failing = shared.share(board.failing);

  app.get('/', needs.read, async (_request, reply) => respond(reply, await now()));
  app.get('/system', needs.read, async (_request, reply) =>
    respond(reply, livePage(systemPage, { tenants, temporalUrl, failing: await failing() })),
  );
  app.get('/audit', needs.read, async (request, reply) => {
    const { by, after: before } = auditQuery.parse(request.query);
    const entries = await audit.list(
      { ...(by !== undefined && { by }) },
      { limit: ROWS, ...(before !== undefined && { before }) },
    );
    const page = listPage(entries, !before, ({ id }) => listAddress('/board/audit', { by, after: String(id) }));
    return respond(reply, livePage(auditPage, { ...page, by }));
  });
  subjectRoutes(app, deps, respond);
  announcementRoutes(app, deps, respond);
  deliveryRoutes(app, deps, respond);
  bulkRoutes(app, deps, respond);
  apiRoutes(app, deps, respond);
}
