import type { LifeSettings } from '../../workflows/messages.ts';
import type { SubjectRef } from '../domain/subject.ts';
import { createDispatcher } from '../inbox/dispatcher.ts';
import { createInbox } from '../inbox/inbox.ts';
import { findOperator } from '../operators/operator.ts';
import type { Store } from '../store/store.ts';
import { isOutage, openTemporal } from '../temporal/connection.ts';
import { createSubjectClient } from '../temporal/subject-client.ts';
import { warehouseTaskQueue } from '../temporal/task-queues.ts';
import type { ServiceOptions } from './service.ts';

/** The inbox with its dispatcher, open. */
export type OpenInbox = ReturnType<typeof openInbox>;

/** Opens the inbox, from which everything that is taken in is dispatched. It needs the disk and nothing else; Temporal may be away. */
export function openInbox(options: ServiceOptions & { readonly store: Store; readonly taskQueue: string }) {
  const { config, places, store, taskQueue, logger } = options;
  const temporal = openTemporal({ address: places.temporal.address, namespace: config.TEMPORAL_NAMESPACE });
  const subjects = createSubjectClient({
    client: temporal.client,
    taskQueue,
    settingsOf: (subject) => settingsOf(subject, options),
  });
  const rows = store.inbox;
  const dispatcher = createDispatcher({ rows, dispatch: subjects.signal, isOutage, logger });
  const inbox = createInbox({ rows, limit: config.INBOX_LIMIT, onWaiting: dispatcher.wake });
  dispatcher.start();
  return {
    inbox,
    client: temporal.client,
    isIdle: dispatcher.idle,
    async close() {
      await inbox.close();
      await dispatcher.close();
      await temporal.close();
    },
  };
}

/** What a subject's workflow starts with. */
function settingsOf(
  { kind, tenant }: SubjectRef,
  { config, places, taskQueue }: Pick<ServiceOptions, 'config' | 'places'> & { readonly taskQueue: string },
): LifeSettings {
  return {
    quietPeriodMs: config.QUIET_PERIOD_MS,
    stageLimitsMs: kind === 'order' ? config.ORDER_STAGE_LIMITS : {},
    signalsPerRun: config.SIGNALS_PER_RUN,
    announceForMs: config.ANNOUNCE_FOR_MS,
    warehouseTaskQueue: warehouseTaskQueue(taskQueue, findOperator(places.operators, tenant)?.tenant),
  };
}
