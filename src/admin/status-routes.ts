import type { FastifyInstance } from 'fastify';
import type { ParkedEventLists, StoredCounts, SubjectControl } from './ports.ts';
import { showParkedReason } from './presentation.ts';

/** What the status works with. */
export interface StatusRoutesDeps {
  /** How many rows of the inbox wait to be dispatched. */
  readonly waiting: () => number;
  readonly count: () => Promise<StoredCounts>;
  readonly parkedEvents: Pick<ParkedEventLists, 'summarize'>;
  readonly control: Pick<SubjectControl, 'countRefused'>;
  readonly isOutage: (error: unknown) => boolean;
}

/** `GET /status`: what waits, what is parked and for what reason, and how many subjects are in which stage. */
export function statusRoutes(app: FastifyInstance, deps: StatusRoutesDeps): void {
  const { waiting, count, parkedEvents, control, isOutage } = deps;
  app.get('/status', async () => {
    const { parkedEvents: parked, announcements, subjects, attention } = await count();
    const reasons = await parkedEvents.summarize({});
    // Null where Temporal, which alone knows, does not answer.
    const refused = await control.countRefused().catch((error: unknown) => {
      if (isOutage(error)) return null;
      throw error;
    });
    return {
      inbox: { waiting: waiting(), parked, parkedByReason: reasons.map(showParkedReason) },
      announcements,
      subjects,
      attention: { ...attention, refused },
    };
  });
}
