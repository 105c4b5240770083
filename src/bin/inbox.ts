import type { LifeSettings } from '../../workflows/messages.ts';
import type { SubjectRef } from '../domain/subject.ts';
import { createDispatcher } from '../inbox/dispatcher.ts';
import { createFeed } from '../inbox/feed.ts';
import { createInbox } from '../inbox/inbox.ts';
import { findOperator } from '../operators/operator.ts';
import type { Store } from '../store/store.ts';
import { isOutage, openTemporal } from '../temporal/connection.ts';
import { createSubjectClient } from '../temporal/subject-client.ts';
import { createSubjectControl } from '../temporal/subject-control.ts';
import { warehouseTaskQueue } from '../temporal/task-queues.ts';
import { temporalTarget } from './codec.ts';
import type { ServiceOptions } from './service.ts';

/** The inbox with its dispatcher, open. */
export type OpenInbox = ReturnType<typeof openInbox>;

/** Opens the inbox, from which everything that is taken in is dispatched, by this process where it `dispatches`. It needs the disk and nothing else; Temporal may be away. */
export function openInbox(
  options: ServiceOptions & {
    readonly store: Store;
    readonly taskQueue: string;
    readonly dispatches: boolean;
    /** No other process does the same work. */
    readonly isAlone: boolean;
  },
) {
  const { config, places, store, taskQueue, logger } = options;
  const temporal = openTemporal(temporalTarget(places.temporal.address, config));
  const workflows = {
    client: temporal.client,
    taskQueue,
    settingsOf: (subject: SubjectRef) => settingsOf(subject, options),
  };
  const subjects = createSubjectClient(workflows);
  const rows = store.inbox;
  const dispatcher = createDispatcher({ rows, dispatch: subjects.signal, isOutage, logger });
  const door = { rows, limit: config.INBOX_LIMIT, onWaiting: dispatcher.wake };
  const inbox = createInbox(door);
  // One of its own, so that the counts of the other tell of deliveries.
  const found = createInbox(door);
  if (options.dispatches) dispatcher.start();
  return {
    inbox,
    feed: createFeed({ inbox: found }),
    client: temporal.client,
    control: createSubjectControl(workflows),
    isIdle: dispatcher.idle,
    async close() {
      await Promise.all([inbox.close(), found.close()]);
      await dispatcher.close();
      await temporal.close();
    },
  };
}

/** What a subject's workflow starts with. */
function settingsOf(
  { kind, tenant }: SubjectRef,
  {
    config,
    places,
    taskQueue,
    isAlone,
  }: Pick<ServiceOptions, 'config' | 'places'> & { readonly taskQueue: string; readonly isAlone: boolean },
): LifeSettings {
  return {
    quietPeriodMs: config.QUIET_PERIOD_MS,
    stageLimitsMs: kind === 'order' ? config.ORDER_STAGE_LIMITS : {},
    signalsPerRun: config.SIGNALS_PER_RUN,
    announceForMs: config.ANNOUNCE_FOR_MS,
    retrievesAtOnce: isAlone,
    warehouseTaskQueue: warehouseTaskQueue(taskQueue, findOperator(places.operators, tenant)?.tenant),
  };
}
