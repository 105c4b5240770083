import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, callerOf, needs } from '../admin/access.ts';
import { actorOf } from '../admin/audit.ts';
import { idParams } from '../admin/queries.ts';
import { found } from '../http/problem.ts';
import type { Bulk } from './bulk.ts';
import { NO_BULK, type ShownBulk } from './views/row.ts';

/** Ways in which the API and the board differ. */
interface Ways {
  /** Reads the body of a preview. */
  read(body: unknown): unknown;
  answer(reply: FastifyReply, bulk: ShownBulk, status: number): unknown;
  /** Finds a bulk action within the limits of a caller. */
  findOwn(id: number, caller: Caller): Promise<ShownBulk | undefined>;
}

/** Adds `POST /bulk`, `POST /bulk/{id}/confirm` and `POST /bulk/{id}/cancel`. */
export function bulkRoutes(app: FastifyInstance, bulk: Bulk, { read, answer, findOwn }: Ways): void {
  app.post('/bulk', keepingLimits, async (request, reply) =>
    answer(reply, await bulk.preview(read(request.body), callerOf(request), actorOf(request)), 201),
  );
  app.post('/bulk/:id/confirm', keepingLimits, async (request, reply) =>
    answer(reply, await bulk.confirm(await idOf(request), actorOf(request)), 202),
  );
  app.post('/bulk/:id/cancel', keepingLimits, async (request, reply) =>
    answer(reply, await bulk.cancel(await idOf(request), actorOf(request)), 200),
  );

  async function idOf(request: FastifyRequest): Promise<number> {
    const { id } = idParams.parse(request.params);
    found(await findOwn(id, callerOf(request)), NO_BULK);
    return id;
  }
}

const keepingLimits = { config: { ...needs.act.config, keepsLimits: true } } as const;
