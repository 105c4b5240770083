import type { FastifyInstance } from 'fastify';
import type { ParkedEventFilter, ParkedEventLists } from './ports.ts';
import { pageOf, showBody, showParkedEvent, showParkedReason } from './presentation.ts';
import { Problem } from './problem.ts';
import { parkedEventParams, parkedEventsQuery, replayBody } from './queries.ts';

/** What the resources of events work with. */
export interface EventRoutesDeps {
  readonly parkedEvents: ParkedEventLists;
  /** Reads parked events again and takes in those that are understood now; returns how many. */
  readonly replay: (filter: ParkedEventFilter) => Promise<number>;
}

/** `GET /parked-events`, `GET /parked-events/{id}`, `POST /parked-events/{id}/replay` and `POST /parked-events/replay`. */
export function eventRoutes(app: FastifyInstance, { parkedEvents, replay }: EventRoutesDeps): void {
  app.get('/parked-events', async ({ query }) => {
    const { summary, after, limit, ...filter } = parkedEventsQuery.parse(query);
    if (summary) return { items: (await parkedEvents.summarize(filter)).map(showParkedReason), next: null };
    const rows = await parkedEvents.list(filter, { after, limit });
    return pageOf(rows, limit, { show: showParkedEvent, placeOf: ({ id }) => String(id) });
  });

  app.get('/parked-events/:id', async ({ params }) => {
    const { body, ...event } = await find(params);
    return { ...showParkedEvent(event), ...showBody(body) };
  });

  app.post('/parked-events/:id/replay', async ({ params }) => ({
    takenIn: await replay({ id: (await find(params)).id }),
  }));

  app.post('/parked-events/replay', async ({ body }) => ({ takenIn: await replay(replayBody.parse(body)) }));

  async function find(params: unknown) {
    const found = await parkedEvents.find(parkedEventParams.parse(params).id);
    if (found) return found;
    throw new Problem(404, 'No such event is parked.');
  }
}
