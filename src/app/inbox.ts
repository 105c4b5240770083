import type { Settings } from '../../workflows/messages.ts';
import { findTenant } from '../config/tenants/tenant.ts';
import type { SubjectRef } from '../domain/catalogue/subject.ts';
import { createDispatcher } from '../inbox/dispatcher.ts';
import { createFeed } from '../inbox/feed.ts';
import { createInbox } from '../inbox/inbox.ts';
import { createPatrol } from '../inbox/patrol.ts';
import type { Store } from '../store/store.ts';
import { isOutage, openTemporal } from '../temporal/connection.ts';
import { createSubjectClient } from '../temporal/subject-client.ts';
import { createSubjectControl } from '../temporal/subject-control.ts';
import { announceTaskQueue, warehouseTaskQueue } from '../temporal/task-queues.ts';
import { temporalTarget } from './codec.ts';
import type { ServiceOptions } from './service-options.ts';

/** The inbox with its dispatcher, open. */
export type OpenInbox = ReturnType<typeof openInbox>;

/** Opens the inbox, from which everything that is taken in is dispatched, by this process where it `dispatches`. It needs the disk and nothing else; Temporal may be away. */
export function openInbox(
  options: ServiceOptions & {
    readonly store: Store;
    readonly taskQueue: string;
    readonly dispatches: boolean;
    /** Whether activities are tried within the workflow's own task. */
    readonly isInline: () => boolean;
  },
) {
  const { config, dependencies, store, taskQueue, logger } = options;
  const temporal = openTemporal(temporalTarget(dependencies.temporal.address, config));
  const workflows = {
    client: temporal.client,
    taskQueue,
    settingsOf: (subject: SubjectRef) => settingsOf(subject, options),
  };
  const subjects = createSubjectClient(workflows);
  const rows = store.inbox;
  const dispatcher = createDispatcher({ rows, wake: subjects.wake, isOutage, logger });
  const patrol = createPatrol({
    ...{ rows, unsent: store.outbox.overdue, ...subjects, isOutage, logger, afterMs: config.REDISPATCH_AFTER_MS },
  });
  const door = { rows, limit: config.INBOX_LIMIT, onWaiting: dispatcher.wake };
  const inbox = createInbox(door);
  // One of its own, so that the counts of the other tell of deliveries.
  const found = createInbox(door);
  const beginning = options.dispatches ? begin() : undefined;

  async function begin(): Promise<void> {
    await rows.beginAnew().catch((err: unknown) => logger.warn({ err }, 'it starts with what was overdue only'));
    dispatcher.start();
    patrol.start();
  }

  return {
    inbox,
    feed: createFeed({ inbox: found }),
    client: temporal.client,
    control: createSubjectControl(workflows),
    isIdle: dispatcher.idle,
    async close() {
      await Promise.all([inbox.close(), found.close()]);
      await beginning;
      await patrol.close();
      await dispatcher.close();
      await temporal.close();
    },
  };
}

/** What a subject's workflow goes by. */
function settingsOf(
  { kind, tenant }: SubjectRef,
  {
    config,
    dependencies,
    taskQueue,
    isInline,
  }: Pick<ServiceOptions, 'config' | 'dependencies'> & { readonly taskQueue: string; readonly isInline: () => boolean },
): Settings {
  return {
    gracePeriodMs: config.GRACE_PERIOD_MS,
    stageLimitsMs: kind === 'order' ? config.ORDER_STAGE_LIMITS : {},
    signalsPerRun: config.SIGNALS_PER_RUN,
    inline: isInline(),
    warehouseTaskQueue: warehouseTaskQueue(taskQueue, findTenant(dependencies.tenants, tenant)?.id),
    announceTaskQueue: announceTaskQueue(taskQueue, findTenant(dependencies.tenants, tenant)?.id),
  };
}
