import type { FastifyInstance } from 'fastify';
import { callerOf, needs } from '../../access.ts';
import { actorOf } from '../../audit.ts';
import type { Bulk } from '../../bulk/bulk.ts';
import { readBulk } from '../../bulk/filters.ts';
import { type BulkAction, type BulkActions, type BulkFailure, SHOWN_FAILURES } from '../../bulk/ports.ts';
import { idParams } from '../../queries.ts';
import { listQuarantined, type QuarantinedRow } from '../../views/quarantine.ts';
import type { Sources } from '../../views/view.ts';
import { bulkAddress, listAddress } from '../addresses.ts';
import { livePage, type Respond } from '../responder.ts';
import { bulkListPage, bulkPage } from './bulk.ts';
import { listPage, pageQuery, ROWS } from './queries.ts';

/** Dependencies of the pages of bulk actions. */
export interface BulkRoutesDeps extends Pick<Sources, 'reads'> {
  readonly bulk: Bulk;
  readonly bulkActions: Pick<BulkActions, 'list' | 'failures'>;
}

/** Adds the pages of bulk actions, and the forms that preview, confirm and cancel one. Each form answers with the page of the action. */
export function bulkRoutes(app: FastifyInstance, deps: BulkRoutesDeps, respond: Respond): void {
  const { bulk, bulkActions } = deps;

  app.get('/bulk', needs.read, async (request, reply) => {
    const { after: before } = pageQuery.parse(request.query);
    const rows = await bulkActions.list({ limit: ROWS, ...(before !== undefined && { before }) });
    return respond(
      reply,
      bulkListPage(listPage(rows, !before, ({ id }) => listAddress('/board/bulk', { after: String(id) }))),
    );
  });

  app.post('/bulk', needs.act, async (request, reply) => {
    const { action, ...filter } = (request.body ?? {}) as Readonly<Record<string, string>>;
    const read = readBulk({ action, filter });
    const { id } = await bulk.preview(read.action, read.filter, actorOf(request));
    return reply.redirect(bulkAddress(id), 303);
  });

  app.get('/bulk/:id', needs.read, async (request, reply) => {
    const found = await bulk.find(idParams.parse(request.params).id);
    const failures = await bulkActions.failures(found.id, SHOWN_FAILURES);
    const webhooks = found.action === 'replay' ? await findWebhooks(found, failures, deps) : [];
    const page = livePage(bulkPage, { bulk: found, failures, webhooks, caller: callerOf(request) });
    return respond(reply, page);
  });

  app.post('/bulk/:id/confirm', needs.act, async (request, reply) => {
    const { id } = await bulk.confirm(idParams.parse(request.params).id, actorOf(request));
    return reply.redirect(bulkAddress(id), 303);
  });

  app.post('/bulk/:id/cancel', needs.act, async (request, reply) => {
    const { id } = await bulk.cancel(idParams.parse(request.params).id, actorOf(request));
    return reply.redirect(bulkAddress(id), 303);
  });
}

/** Finds the quarantined webhooks that the page names, as far as they are still quarantined. */
async function findWebhooks(
  { sample, confirmedAt }: BulkAction,
  failures: readonly BulkFailure[],
  sources: Pick<Sources, 'reads'>,
): Promise<readonly QuarantinedRow[]> {
  const ids = (confirmedAt === null ? sample : failures.map(({ target }) => target)).map(Number);
  return ids.length === 0 ? [] : await listQuarantined(sources, { ids }, { after: 0, limit: ids.length });
}
