import type { FastifyInstance } from 'fastify';
import { callerOf, needs } from '../../access.ts';
import { actorOf } from '../../audit.ts';
import type { Bulk } from '../../bulk/bulk.ts';
import { readBulk } from '../../bulk/filters.ts';
import { type BulkActions, SHOWN_FAILURES } from '../../bulk/ports.ts';
import { bulkParams } from '../../queries.ts';
import { listAddress } from '../addresses.ts';
import type { Respond } from '../responder.ts';
import { bulkAddress } from '../targets.ts';
import { bulkListPage, bulkPage } from './bulk.ts';
import { pageQuery, ROWS } from './queries.ts';

/** Dependencies of the pages of bulk actions. */
export interface BulkRoutesDeps {
  readonly bulk: Bulk;
  readonly bulkActions: Pick<BulkActions, 'list' | 'failures'>;
}

/** Adds the pages of bulk actions, and the forms that preview, confirm and cancel one. Each form answers with the page of the action. */
export function bulkRoutes(app: FastifyInstance, { bulk, bulkActions }: BulkRoutesDeps, respond: Respond): void {
  app.get('/bulk', needs.read, async (request, reply) => {
    const { after: before } = pageQuery.parse(request.query);
    const rows = await bulkActions.list({ limit: ROWS, ...(before !== undefined && { before }) });
    const last = rows.length < ROWS ? undefined : rows.at(-1);
    return respond(
      request,
      reply,
      bulkListPage(rows, last === undefined ? null : listAddress('/board/bulk', { after: String(last.id) })),
    );
  });

  app.post('/bulk', needs.act, async (request, reply) => {
    const { action, ...filter } = request.body as Readonly<Record<string, string>>;
    const read = readBulk({ action, filter });
    const { id } = await bulk.preview(read.action, read.filter, actorOf(request));
    return reply.redirect(bulkAddress(id), 303);
  });

  app.get('/bulk/:id', needs.read, async (request, reply) => {
    const found = await bulk.find(bulkParams.parse(request.params).id);
    const failures = await bulkActions.failures(found.id, SHOWN_FAILURES);
    return respond(request, reply, bulkPage({ bulk: found, failures, caller: callerOf(request), now: Date.now() }));
  });

  app.post('/bulk/:id/confirm', needs.act, async (request, reply) => {
    const { id } = await bulk.confirm(bulkParams.parse(request.params).id, actorOf(request));
    return reply.redirect(bulkAddress(id), 303);
  });

  app.post('/bulk/:id/cancel', needs.act, async (request, reply) => {
    const { id } = await bulk.cancel(bulkParams.parse(request.params).id, actorOf(request));
    return reply.redirect(bulkAddress(id), 303);
  });
}
