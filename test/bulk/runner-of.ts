import { pino } from 'pino';
import type { Store } from '../../src/app/store.ts';
import { type BulkItems, createBulkItems } from '../../src/bulk/items.ts';
import { createBulkRunner, type Performer, resending } from '../../src/bulk/runner.ts';
import { createRedelivery } from '../../src/destinations/tables/redelivery.ts';

/** Logger of nothing. */
export const logger = pino({ level: 'silent' });

/** Makes the resending of a store, which needs no Temporal. */
export const resendingOf = (store: Store) => resending({ redelivery: createRedelivery(store) });

/** Creates a runner of one way to act over a store, by default on the items that are stored. */
export function runnerOf(store: Store, performer: Performer, items: Pick<BulkItems, 'next'> = createBulkItems(store)) {
  const performers = { refresh: performer, resend: performer, replay: performer, reprocess: performer };
  return createBulkRunner({ store: store.bulk, items, performers, isOutage: () => true, logger });
}
