import { pino } from 'pino';
import type { Performer, PerformerDeps } from '../../../src/admin/bulk/performers.ts';
import { createBulkRunner } from '../../../src/admin/bulk/runner.ts';
import { replayQuarantined } from '../../../src/inbox/replay.ts';
import { toEntry } from '../../../src/ingress/message/entry.ts';
import type { Store } from '../../../src/store/store.ts';
import { selectQuarantined } from '../../../src/store/tables/bodies.ts';
import { createDeadLetters } from '../../../src/store/tables/dead-letters.ts';

const logger = pino({ level: 'silent' });

/** Makes what performers need of a store. Temporal is away: workflows are woken by the patrol. */
export function performerDeps(store: Store): PerformerDeps {
  const away = () => Promise.reject(new Error('Temporal is away'));
  return {
    deadLetters: createDeadLetters(store),
    reads: store.reads,
    logger,
    isOutage: () => true,
    control: { refresh: away },
    replay: (filter) =>
      replayQuarantined({
        rows: { ...store.inbox, quarantinedAfter: selectQuarantined(store.reads, filter) },
        read: (row) => toEntry(row, { tenant: '9104' }),
      }),
  };
}

const never: Performer = { chunk: 1, perform: () => Promise.reject(new Error('not expected')) };

/** Creates a runner over a store. */
export const runnerOf = (store: Store, performers: { readonly [N in 'refresh' | 'resend' | 'replay']?: Performer }) =>
  createBulkRunner({
    queue: store.bulk,
    performers: { refresh: never, resend: never, replay: never, ...performers },
    explainOutage: () => 'It is away.',
    logger,
  });
