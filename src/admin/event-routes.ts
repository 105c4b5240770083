import type { FastifyInstance } from 'fastify';
import { found } from '../http/problem.ts';
import { needs } from './access.ts';
import type { Actions } from './actions.ts';
import type { Answer } from './answers.ts';
import { actorOf } from './audit.ts';
import type { QuarantinedEventLists } from './ports.ts';
import { pageOf, showBody, showQuarantinedEvent, showQuarantineReason } from './presentation.ts';
import { idParams, quarantinedEventsQuery } from './queries.ts';

/** Dependencies of the routes of quarantined events. */
export interface EventRoutesDeps {
  readonly quarantinedEvents: QuarantinedEventLists;
  readonly actions: Actions;
}

/** Adds `GET /quarantine`, `GET /quarantine/{id}` and `POST /quarantine/{id}/replay`. */
export function eventRoutes(app: FastifyInstance, { quarantinedEvents, actions }: EventRoutesDeps): void {
  app.get('/quarantine', needs.read, async ({ query }): Promise<Answer<'QuarantinePage'>> => {
    const { summary, after, limit, ...filter } = quarantinedEventsQuery.parse(query);
    if (summary) return { items: (await quarantinedEvents.summarize(filter)).map(showQuarantineReason), next: null };
    const rows = await quarantinedEvents.list(filter, { after, limit });
    return pageOf(rows, limit, { show: showQuarantinedEvent, placeOf: ({ id }) => String(id) });
  });

  app.get('/quarantine/:id', needs.bodies, async ({ params }): Promise<Answer<'ShownQuarantinedEvent'>> => {
    const { body, ...event } = await find(params);
    return { ...showQuarantinedEvent(event), ...showBody(body) };
  });

  app.post('/quarantine/:id/replay', needs.act, async (request): Promise<Answer<'Replayed'>> => {
    const { id } = await find(request.params);
    return { ingested: await actions.replay(id, actorOf(request)) };
  });

  async function find(params: unknown) {
    const { id } = idParams.parse(params);
    return found(await quarantinedEvents.find(id), 'The event is not quarantined.');
  }
}
