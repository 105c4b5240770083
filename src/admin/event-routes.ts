import type { FastifyInstance } from 'fastify';
import type { InboxRows } from '../inbox/rows.ts';
import type { ParkedEventFilter, ParkedEventLists } from './ports.ts';
import { pageOf, showBody, showParkedEvent, showParkedReason } from './presentation.ts';
import { Problem } from './problem.ts';
import { dispatchBody, parkedEventParams, parkedEventsQuery, replayBody } from './queries.ts';

/** What the resources of events work with. */
export interface EventRoutesDeps {
  readonly parkedEvents: ParkedEventLists;
  /** Reads parked events again and takes in those that are understood now; returns how many. */
  readonly replay: (filter: ParkedEventFilter) => Promise<number>;
  /** Brings events to their workflows again that were dispatched within a time, so many at most; returns how many. */
  readonly dispatchAgain: InboxRows['dispatchAgain'];
}

/** How many events one statement lets wait again: few enough that a webhook behind it does not notice. */
const DISPATCH_BATCH = 200;

/**
 * `GET /parked-events`, `GET /parked-events/{id}`, `POST /parked-events/{id}/replay`, `POST /parked-events/replay`, and
 * `POST /events/dispatch`.
 */
export function eventRoutes(app: FastifyInstance, { parkedEvents, replay, dispatchAgain }: EventRoutesDeps): void {
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

  app.post('/events/dispatch', async ({ body }) => {
    const { since } = dispatchBody.parse(body);
    // What is dispatched again meanwhile is not what was asked for.
    const period = { since, before: Date.now() };
    let dispatched = 0;
    for (let count = DISPATCH_BATCH; count === DISPATCH_BATCH; dispatched += count) {
      count = await dispatchAgain(period, DISPATCH_BATCH);
    }
    return { dispatched };
  });

  async function find(params: unknown) {
    const found = await parkedEvents.find(parkedEventParams.parse(params).id);
    if (found) return found;
    throw new Problem(404, 'No such event is parked.');
  }
}
