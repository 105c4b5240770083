import type { FastifyInstance } from 'fastify';
import { needs } from './access.ts';
import type { Answer } from './answers.ts';
import { actorOf } from './audit.ts';
import type { Bulk } from './bulk/bulk.ts';
import { readBulk } from './bulk/filters.ts';
import { type BulkAction, type BulkActions, SHOWN_FAILURES } from './bulk/ports.ts';
import { pageOf, showBulk } from './presentation.ts';
import { bulkQuery, idParams } from './queries.ts';

/** Dependencies of the routes of bulk actions. */
export interface BulkRoutesDeps {
  readonly bulk: Bulk;
  readonly bulkActions: Pick<BulkActions, 'list' | 'failures'>;
}

/** Adds `GET /bulk`, `POST /bulk`, `GET /bulk/{id}`, `POST /bulk/{id}/confirm` and `POST /bulk/{id}/cancel`. */
export function bulkRoutes(app: FastifyInstance, { bulk, bulkActions }: BulkRoutesDeps): void {
  const show = async (shown: BulkAction): Promise<Answer<'ShownBulk'>> => ({
    ...showBulk(shown),
    failures: await bulkActions.failures(shown.id, SHOWN_FAILURES),
  });

  app.get('/bulk', needs.read, async ({ query }): Promise<Answer<'BulkPage'>> => {
    const { after: before, limit } = bulkQuery.parse(query);
    const rows = await bulkActions.list({ limit, ...(before !== undefined && { before }) });
    return pageOf(rows, limit, { show: showBulk, placeOf: ({ id }) => String(id) });
  });

  app.post('/bulk', needs.act, async (request, reply): Promise<Answer<'ShownBulk'>> => {
    const { action, filter } = readBulk(request.body);
    const previewed = await bulk.preview(action, filter, actorOf(request));
    reply.code(201);
    return show(previewed);
  });

  app.get('/bulk/:id', needs.read, async ({ params }): Promise<Answer<'ShownBulk'>> => {
    return show(await bulk.find(idParams.parse(params).id));
  });

  app.post('/bulk/:id/confirm', needs.act, async (request, reply): Promise<Answer<'ShownBulk'>> => {
    const confirmed = await bulk.confirm(idParams.parse(request.params).id, actorOf(request));
    reply.code(202);
    return show(confirmed);
  });

  app.post('/bulk/:id/cancel', needs.act, async (request): Promise<Answer<'ShownBulk'>> => {
    return show(await bulk.cancel(idParams.parse(request.params).id, actorOf(request)));
  });
}
