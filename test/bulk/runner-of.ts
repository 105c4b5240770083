import { pino } from 'pino';
import type { Store } from '../../src/app/store.ts';
import { type BulkItems, createBulkItems } from '../../src/bulk/items.ts';
import { type Performer, reprocessing, resending } from '../../src/bulk/performers.ts';
import { createBulkRunner } from '../../src/bulk/runner.ts';
import { createRedelivery } from '../../src/destinations/tables/redelivery.ts';
import { reprocessQuarantined } from '../../src/inbox/reprocess.ts';
import { selectQuarantined } from '../../src/inbox/tables/quarantined.ts';
import { toEntry } from '../../src/ingress/message/delivery.ts';
import { readEverything } from '../../src/store/limited-reads.ts';

/** Logger of nothing. */
export const logger = pino({ level: 'silent' });

/** Makes the bulk actions of a store that need no Temporal. */
export function performersOf(store: Store) {
  return {
    resend: resending({ redelivery: createRedelivery(store) }),
    reprocess: reprocessing({
      reads: readEverything(store.reads),
      bulkActions: store.bulk,
      reprocess: (filter) =>
        reprocessQuarantined({
          rows: { ...store.inbox, quarantinedAfter: selectQuarantined(store.reads, filter) },
          read: (row) => toEntry(row, { tenant: '9104' }),
        }),
    }),
  };
}

/** Creates a runner of one way to act over a store, by default on the items that are stored. */
export function runnerOf(store: Store, performer: Performer, items: Pick<BulkItems, 'next'> = createBulkItems(store)) {
  const performers = { refresh: performer, resend: performer, replay: performer, reprocess: performer };
  return createBulkRunner({ store: store.bulk, items, performers, isOutage: () => true, logger });
}
