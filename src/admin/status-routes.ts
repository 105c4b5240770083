import type { FastifyInstance } from 'fastify';
import { needs } from './access.ts';
import type { Answer } from './answers.ts';
import type { QuarantinedEventLists, StoredCounts } from './ports.ts';
import { showStatus } from './presentation.ts';

/** Dependencies of the status route. */
export interface StatusRoutesDeps {
  readonly count: () => Promise<StoredCounts>;
  readonly quarantinedEvents: Pick<QuarantinedEventLists, 'summarize'>;
}

/** Adds `GET /status`: what waits, fails or is quarantined, and the number of subjects in each stage. */
export function statusRoutes(app: FastifyInstance, { count, quarantinedEvents }: StatusRoutesDeps): void {
  app.get('/status', needs.read, async (): Promise<Answer<'Status'>> => {
    const [counts, reasons] = await Promise.all([count(), quarantinedEvents.summarize({})]);
    return showStatus({ reasons, counts });
  });
}
