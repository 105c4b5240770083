import type { FastifyInstance, FastifyReply } from 'fastify';
import { needs } from './access.ts';
import { actorOf } from './audit.ts';
import type { Bulk } from './bulk/bulk.ts';
import { idParams } from './queries.ts';
import type { ShownBulk } from './views/bulk/row.ts';

/** Ways in which the API and the board differ. */
interface Ways {
  /** Reads the body of a preview. */
  read(body: unknown): unknown;
  answer(reply: FastifyReply, bulk: ShownBulk, status: number): unknown;
}

/** Adds `POST /bulk`, `POST /bulk/{id}/confirm` and `POST /bulk/{id}/cancel`. */
export function bulkRoutes(app: FastifyInstance, bulk: Bulk, { read, answer }: Ways): void {
  app.post('/bulk', needs.act, async (request, reply) =>
    answer(reply, await bulk.preview(read(request.body), actorOf(request)), 201),
  );
  app.post('/bulk/:id/confirm', needs.act, async (request, reply) =>
    answer(reply, await bulk.confirm(idParams.parse(request.params).id, actorOf(request)), 202),
  );
  app.post('/bulk/:id/cancel', needs.act, async (request, reply) =>
    answer(reply, await bulk.cancel(idParams.parse(request.params).id, actorOf(request)), 200),
  );
}
