import type { FastifyInstance } from 'fastify';
import type { QuarantinedEventLists, StoredCounts } from './ports.ts';
import { isoOrNull, showQuarantineReason, showTrouble } from './presentation.ts';

/** What the status works with. */
export interface StatusRoutesDeps {
  /** How many rows of the inbox wait to be observed. */
  readonly waiting: () => number;
  readonly count: () => Promise<StoredCounts>;
  readonly quarantinedEvents: Pick<QuarantinedEventLists, 'summarize'>;
}

/** `GET /status`: what waits, what fails, what is quarantined and for what reason, and how many subjects are in which stage. */
export function statusRoutes(app: FastifyInstance, { waiting, count, quarantinedEvents }: StatusRoutesDeps): void {
  app.get('/status', async () => {
    const { quarantinedEvents: quarantined, oldestWaiting, failing, ...counts } = await count();
    const reasons = await quarantinedEvents.summarize({});
    return {
      inbox: {
        ...{ waiting: waiting(), oldestReceivedAt: isoOrNull(oldestWaiting) },
        ...{ quarantined, quarantinedByReason: reasons.map(showQuarantineReason) },
      },
      failing: failing.map(showTrouble),
      ...counts,
    };
  });
}
