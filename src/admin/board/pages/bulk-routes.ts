import type { FastifyInstance } from 'fastify';
import { callerOf, needs } from '../../access.ts';
import { actorOf } from '../../audit.ts';
import type { Bulk } from '../../bulk/bulk.ts';
import { idParams } from '../../queries.ts';
import type { ShownBulk } from '../../views/bulk.ts';
import { listQuarantined, type QuarantinedRow } from '../../views/quarantine.ts';
import type { Sources } from '../../views/view.ts';
import { bulkAddress } from '../addresses.ts';
import { livePage, type Respond } from '../responder.ts';
import { bulkPage } from './bulk-page.ts';

/** Dependencies of the pages of bulk actions. */
export interface BulkRoutesDeps extends Pick<Sources, 'reads'> {
  readonly bulk: Bulk;
}

/** Adds the page of a bulk action, and the forms that preview, confirm and cancel one. Each form answers with the page. */
export function bulkRoutes(app: FastifyInstance, deps: BulkRoutesDeps, respond: Respond): void {
  const { bulk } = deps;

  app.post('/bulk', needs.act, async (request, reply) => {
    const { action, ...filter } = (request.body ?? {}) as Readonly<Record<string, string>>;
    const { id } = await bulk.preview({ action, filter }, actorOf(request));
    return reply.redirect(bulkAddress(id), 303);
  });

  app.get('/bulk/:id', needs.read, async (request, reply) => {
    const found = await bulk.find(idParams.parse(request.params).id);
    const webhooks = found.action === 'replay' ? await findWebhooks(found, deps) : [];
    return respond(reply, livePage(bulkPage, { bulk: found, webhooks, caller: callerOf(request) }));
  });

  for (const act of ['confirm', 'cancel'] as const) {
    app.post(`/bulk/:id/${act}`, needs.act, async (request, reply) => {
      const { id } = await bulk[act](idParams.parse(request.params).id, actorOf(request));
      return reply.redirect(bulkAddress(id), 303);
    });
  }
}

/** Finds the quarantined webhooks that the page names, as far as they are still quarantined. */
async function findWebhooks(
  { sample, confirmedAt, failures }: ShownBulk,
  sources: Pick<Sources, 'reads'>,
): Promise<readonly QuarantinedRow[]> {
  const ids = (confirmedAt === null ? sample : failures.map(({ target }) => target)).map(Number);
  return ids.length === 0 ? [] : await listQuarantined(sources, { ids }, { after: 0, limit: ids.length });
}
