import type { Settings } from '../../workflows/messages.ts';
import { isWatched } from '../domain/catalogue/announced.ts';
import type { SubjectRef } from '../domain/catalogue/subject.ts';
import { allLimits, ownLimits } from '../domain/lifecycle/stage-limits.ts';
import { findTenant } from '../domain/tenant.ts';
import { subjectAttributes, type Tracing } from '../domain/tracing.ts';
import { createDispatcher, type Wake } from '../inbox/dispatcher.ts';
import { createFeed } from '../inbox/feed.ts';
import { createInbox } from '../inbox/inbox.ts';
import { createPatrol } from '../inbox/patrol.ts';
import { createOverdue } from '../subjects/tables/overdue.ts';
import { isOutage, openTemporal } from '../temporal/connection.ts';
import { createSubjectClient } from '../temporal/subject-client.ts';
import { createSubjectControl } from '../temporal/subject-control.ts';
import { announceTaskQueue, warehouseTaskQueue } from '../temporal/task-queues.ts';
import type { PartOptions } from './service-options.ts';
import { temporalTarget } from './temporal-target.ts';

/** Open inbox with its dispatcher. */
export type OpenInbox = ReturnType<typeof openInbox>;

/** Opens the inbox; it needs the store but not Temporal. Dispatches its events if this process `dispatches`. */
export function openInbox(options: PartOptions & { readonly dispatches: boolean }) {
  const { config, dependencies, store, taskQueue, logger } = options;
  const temporal = openTemporal(temporalTarget(config, dependencies.temporal.address));
  const workflows = {
    client: temporal.client,
    taskQueue,
    settingsOf: (subject: SubjectRef) => settingsOf(subject, options),
  };
  const subjects = createSubjectClient(workflows);
  const { inbox: rows, due } = store;
  const dispatcher = createDispatcher({
    due,
    rows,
    wake: createTracedWake(subjects.wake, options.tracing),
    isOutage,
    logger,
    onDispatched: options.observers?.dispatched,
  });
  const patrol = createPatrol({
    due,
    wakeResumed: store.destinations.wakeResumed,
    wakeOverdue: createOverdue(store, allLimits(config.ORDER_STAGE_LIMITS)),
    look: subjects.look,
    end: subjects.end,
    onDue: dispatcher.wake,
    isOutage,
    logger,
    afterMs: config.REDISPATCH_AFTER_MS,
  });
  const shared = { rows, limit: config.INBOX_LIMIT, onWaiting: dispatcher.wake };
  const inbox = createInbox(shared);
  // Sweeps feed an inbox of their own, so that the counts of the other are deliveries only.
  const found = createInbox(shared);
  if (options.dispatches) {
    dispatcher.start();
    patrol.start();
  }

  return {
    inbox,
    feed: createFeed({ inbox: found }),
    client: temporal.client,
    connection: temporal.connection,
    control: createSubjectControl(workflows),
    isIdle: dispatcher.idle,
    async close() {
      await Promise.all([inbox.close(), found.close()]);
      await patrol.close();
      await dispatcher.close();
      await temporal.close();
    },
  };
}

/** Adds a span to each wake, in the traces of the events that wait. */
function createTracedWake(wake: Wake, tracing: Tracing | undefined): Wake {
  if (!tracing) return wake;
  return async (subject, events) => {
    const options = { kind: 'producer', traces: events.traces, attributes: subjectAttributes(subject) } as const;
    await tracing.span(`dispatch ${subject.kind}`, options, () => wake(subject, events));
  };
}

/** Returns the settings of a subject's workflow. */
function settingsOf(
  { kind, tenant }: SubjectRef,
  { config, dependencies, taskQueue, isInline }: PartOptions,
): Settings {
  const id = findTenant(dependencies.tenants, tenant)?.id;
  return {
    gracePeriodMs: config.GRACE_PERIOD_MS,
    stageLimitsMs: isWatched(kind) ? ownLimits(config.ORDER_STAGE_LIMITS) : {},
    signalsPerRun: config.SIGNALS_PER_RUN,
    inline: isInline(),
    searchAttributes: config.TEMPORAL_SEARCH_ATTRIBUTES,
    eventTimeWithOthers: true,
    warehouseTaskQueue: warehouseTaskQueue(taskQueue, id),
    announceTaskQueue: announceTaskQueue(taskQueue),
  };
}
