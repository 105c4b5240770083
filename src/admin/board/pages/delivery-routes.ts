import type { FastifyInstance } from 'fastify';
import { found } from '../../../http/problem.ts';
import { callerOf, needs } from '../../access.ts';
import type { QuarantinedEventLists } from '../../ports.ts';
import { listAddress } from '../addresses.ts';
import type { BoardLists } from '../ports.ts';
import { livePage, type Respond } from '../responder.ts';
import type { SharedValues } from '../shared-values.ts';
import { sendFile } from './body.ts';
import { deliveryPage, quarantinePage } from './delivery.ts';
import { deliveryParams, doneQuery, listPage, quarantineQuery, ROWS } from './queries.ts';

/** Dependencies of the pages of deliveries. */
export interface DeliveryRoutesDeps {
  readonly board: BoardLists;
  readonly quarantinedEvents: QuarantinedEventLists;
  readonly shared: SharedValues;
}

/** Adds the quarantine, and the page of one delivery. */
export function deliveryRoutes(
  app: FastifyInstance,
  { board, quarantinedEvents, shared }: DeliveryRoutesDeps,
  respond: Respond,
): void {
  const reasonsNow = shared.share(() => quarantinedEvents.summarize({}));
  const find = async (params: unknown) => found(await board.delivery(deliveryParams.parse(params).id));

  app.get('/quarantine', needs.read, async (request, reply) => {
    const { reason, after, done } = quarantineQuery.parse(request.query);
    const reasons = await reasonsNow();
    const rows = await quarantinedEvents.list({ ...(reason !== undefined && { reason }) }, { after, limit: ROWS });
    const page = listPage(rows, after === 0, ({ id }) =>
      listAddress('/board/quarantine', { reason, after: String(id) }),
    );
    return respond(reply, livePage(quarantinePage, { ...page, reasons, reason, done, caller: callerOf(request) }));
  });

  app.get('/deliveries/:id', needs.read, async (request, reply) => {
    const { done } = doneQuery.parse(request.query);
    return respond(reply, deliveryPage(await find(request.params), { caller: callerOf(request), done }));
  });

  app.get('/deliveries/:id/body', needs.bodies, async ({ params }, reply) => {
    const { id, body } = await find(params);
    return sendFile(reply, `webhook-${id}.json`, body);
  });
}
