import { pino } from 'pino';
import type { Store } from '../../src/app/store.ts';
import { type BulkItems, createBulkItems } from '../../src/bulk/items.ts';
import { type Performer, replaying, resending } from '../../src/bulk/performers.ts';
import { createBulkRunner } from '../../src/bulk/runner.ts';
import { createRedelivery } from '../../src/destinations/tables/redelivery.ts';
import { replayQuarantined } from '../../src/inbox/replay.ts';
import { selectQuarantined } from '../../src/inbox/tables/bodies.ts';
import { toEntry } from '../../src/ingress/message/entry.ts';
import { readEverything } from '../../src/store/limited-reads.ts';

/** Logger of nothing. */
export const logger = pino({ level: 'silent' });

/** Makes the bulk actions of a store that need no Temporal. */
export function performersOf(store: Store) {
  return {
    resend: resending({ redelivery: createRedelivery(store) }),
    replay: replaying({
      reads: readEverything(store.reads),
      bulkActions: store.bulk,
      replay: (filter) =>
        replayQuarantined({
          rows: { ...store.inbox, quarantinedAfter: selectQuarantined(store.reads, filter) },
          read: (row) => toEntry(row, { tenant: '9104' }),
        }),
    }),
  };
}

/** Creates a runner of one way to act over a store, by default on the items that are stored. */
export function runnerOf(store: Store, performer: Performer, items: Pick<BulkItems, 'next'> = createBulkItems(store)) {
  const performers = { refresh: performer, resend: performer, repeat: performer, replay: performer };
  return createBulkRunner({ store: store.bulk, items, performers, isOutage: () => true, logger });
}
