import type { FastifyInstance } from 'fastify';
import type { ParkedEventLists, StoredCounts } from './ports.ts';
import { isoOrNull, showParkedReason, showTrouble } from './presentation.ts';

/** What the status works with. */
export interface StatusRoutesDeps {
  /** How many rows of the inbox wait to be observed. */
  readonly waiting: () => number;
  readonly count: () => Promise<StoredCounts>;
  readonly parkedEvents: Pick<ParkedEventLists, 'summarize'>;
}

/** `GET /status`: what waits, what fails, what is parked and for what reason, and how many subjects are in which stage. */
export function statusRoutes(app: FastifyInstance, { waiting, count, parkedEvents }: StatusRoutesDeps): void {
  app.get('/status', async () => {
    const { parkedEvents: parked, oldestWaiting, failing, ...counts } = await count();
    const reasons = await parkedEvents.summarize({});
    return {
      inbox: {
        ...{ waiting: waiting(), oldestReceivedAt: isoOrNull(oldestWaiting) },
        ...{ parked, parkedByReason: reasons.map(showParkedReason) },
      },
      failing: failing.map(showTrouble),
      ...counts,
    };
  });
}
