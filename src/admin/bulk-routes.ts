import type { FastifyInstance } from 'fastify';
import { needs } from './access.ts';
import type { Answer } from './answers.ts';
import { actorOf } from './audit.ts';
import type { Bulk } from './bulk/bulk.ts';
import { idParams } from './queries.ts';

/** Adds `POST /bulk`, `GET /bulk/{id}`, `POST /bulk/{id}/confirm` and `POST /bulk/{id}/cancel`. */
export function bulkRoutes(app: FastifyInstance, { bulk }: { readonly bulk: Bulk }): void {
  app.post('/bulk', needs.act, async (request, reply): Promise<Answer<'ShownBulk'>> => {
    reply.code(201);
    return bulk.preview(request.body, actorOf(request));
  });

  app.get('/bulk/:id', needs.read, async ({ params }): Promise<Answer<'ShownBulk'>> => {
    return bulk.find(idParams.parse(params).id);
  });

  app.post('/bulk/:id/confirm', needs.act, async (request, reply): Promise<Answer<'ShownBulk'>> => {
    reply.code(202);
    return bulk.confirm(idParams.parse(request.params).id, actorOf(request));
  });

  app.post('/bulk/:id/cancel', needs.act, async (request): Promise<Answer<'ShownBulk'>> => {
    return bulk.cancel(idParams.parse(request.params).id, actorOf(request));
  });
}
