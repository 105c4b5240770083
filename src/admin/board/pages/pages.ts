import type { FastifyInstance } from 'fastify';
import type { SubjectControl } from '../../ports.ts';
import { createCached } from '../cached.ts';
import { createGlimpses } from '../glimpse.ts';
import type { Respond } from '../responder.ts';
import { type AnnouncementRoutesDeps, announcementRoutes } from './announcement-routes.ts';
import { type DeliveryRoutesDeps, deliveryRoutes } from './delivery-routes.ts';
import { nowPage } from './now.ts';
import { type SubjectRoutesDeps, subjectRoutes } from './subject-routes.ts';
import { type ShownTenant, systemPage } from './system.ts';

/** Dependencies of the pages. */
export type PageDeps = Omit<SubjectRoutesDeps, 'glimpses'> &
  AnnouncementRoutesDeps &
  DeliveryRoutesDeps & {
    readonly control: Pick<SubjectControl, 'look'>;
    readonly waiting: () => number;
    readonly isOutage: (error: unknown) => boolean;
    readonly tenants: readonly ShownTenant[];
  };

/** Adds every page. */
export function pageRoutes(app: FastifyInstance, deps: PageDeps, respond: Respond): void {
  const { board, control, isOutage, waiting, tenants, temporalUrl } = deps;
  const overview = createCached(board.overview);
  const failing = createCached(board.failing);

  app.get('/', async (request, reply) =>
    respond(request, reply, nowPage({ ...(await overview()), waiting: waiting() })),
  );
  app.get('/system', async (request, reply) =>
    respond(request, reply, systemPage({ tenants, temporalUrl, failing: await failing(), now: Date.now() })),
  );
  const glimpses = createGlimpses({ look: control.look, isOutage });
  app.addHook('onClose', glimpses.settled);
  subjectRoutes(app, { ...deps, glimpses }, respond);
  announcementRoutes(app, deps, respond);
  deliveryRoutes(app, deps, respond);
}
