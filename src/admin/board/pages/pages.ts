import type { FastifyInstance } from 'fastify';
import { callerOf, needs } from '../../access.ts';
import type { Bulk } from '../../bulk/bulk.ts';
import { bulkRoutes } from '../../bulk-routes.ts';
import { askedBy, routeOf } from '../../call.ts';
import type { ApiDescription } from '../../description-routes.ts';
import type { BoardSources } from '../../views/view.ts';
import { views } from '../../views/views.ts';
import { bulkAddress } from '../addresses.ts';
import { createGlimpses, type GlimpseDeps } from '../glimpse.ts';
import { type Respond, sendFile } from '../responder.ts';

/** Dependencies of the pages. */
export type PageDeps = Pick<ApiDescription, 'createOpenApi'> &
  GlimpseDeps &
  Omit<BoardSources, 'live'> & { readonly bulk: Bulk };

/** Adds every page, and the OpenAPI document for those who have signed in. */
export function pageRoutes(app: FastifyInstance, deps: PageDeps, respond: Respond): void {
  const glimpses = createGlimpses(deps);
  app.addHook('onClose', glimpses.settled);
  for (const { path, role, open } of views.flatMap(({ pages }) => pages)) {
    const show = open({ ...deps, live: glimpses.of });
    app.get(routeOf(path), needs[role], async (request, reply) => {
      const shown = await show(askedBy(request), callerOf(request));
      if ('address' in shown) return reply.redirect(shown.address, 303);
      return 'bytes' in shown ? sendFile(reply, shown.name, shown.bytes) : respond(reply, shown);
    });
  }
  bulkRoutes(app, deps.bulk, {
    read: (body) => {
      const { action, ...filter } = (body ?? {}) as Readonly<Record<string, string>>;
      return { action, filter };
    },
    answer: (reply, { id }) => reply.redirect(bulkAddress(id), 303),
  });
  app.get('/openapi.json', needs.read, (_request, reply) =>
    sendFile(reply, 'openapi.json', Buffer.from(JSON.stringify(deps.createOpenApi(), null, 2))),
  );
}
