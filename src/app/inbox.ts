import type { Settings } from '../../workflows/messages.ts';
import { singleFlight } from '../base/loop.ts';
import { isWatched, type SubjectRef } from '../domain/catalogue/subject.ts';
import { allLimits, ownLimits } from '../domain/lifecycle/stage.ts';
import { findTenant } from '../domain/permission.ts';
import { inSpan, subjectAttributes } from '../domain/tracing.ts';
import { createDispatcher, type Wake } from '../inbox/dispatcher.ts';
import { createFeed, createInbox } from '../inbox/inbox.ts';
import { createPatrol } from '../inbox/patrol.ts';
import { createOverdue } from '../subjects/tables/deadlines.ts';
import { isOutage, openTemporal } from '../temporal/connection.ts';
import { announceTaskQueue, createOwnership, warehouseTaskQueue } from '../temporal/pollers.ts';
import { createSearchAttributes } from '../temporal/search-attributes.ts';
import { createSubjectClient, createSubjectControl } from '../temporal/subject-client.ts';
import { type PartOptions, temporalTarget } from './service-options.ts';

/** Then a wake reads again what Temporal has and who else works there. */
const PREPARED_MS = 10_000;

export type OpenInbox = ReturnType<typeof openInbox>;

/** Needs the store but not Temporal. */
export function openInbox(options: PartOptions & { readonly dispatches: boolean }) {
  const { config, dependencies, store, taskQueue, logger } = options;
  const temporal = openTemporal(temporalTarget(config, dependencies.temporal.address));
  const { namespace } = temporal.client.options;
  const choice = config.TEMPORAL_SEARCH_ATTRIBUTES;
  const attributes = createSearchAttributes({ connection: temporal.connection, namespace, choice });
  const workflows = {
    client: temporal.client,
    taskQueue,
    settingsOf: (subject: SubjectRef) => ({ ...settingsOf(subject, options), searchAttributes: attributes.kept() }),
  };
  const subjects = createSubjectClient(workflows);
  const ownership = createOwnership({ client: temporal.client, taskQueue, installation: store.installation });
  const prepared = singleFlight(PREPARED_MS, () => ownership.assertOwn().then(attributes.register));
  const wake: Wake = async (subject, events) => {
    const span = () => ({ kind: 'producer', traces: events.traces, attributes: subjectAttributes(subject) }) as const;
    await inSpan(options, `dispatch ${subject.kind}`, span, async () => {
      await prepared.read();
      await subjects.wake(subject, events);
    });
  };
  const { inbox: rows, due } = store;
  const dispatcher = createDispatcher({
    due,
    rows,
    wake,
    isOutage,
    logger,
  });
  const patrol = createPatrol({
    due,
    wakeResumed: store.destinations.wakeResumed,
    wakeOverdue: createOverdue(store, allLimits(config.ORDER_STAGE_LIMITS)),
    stateOf: subjects.stateOf,
    end: subjects.end,
    onDue: dispatcher.wake,
    isOutage,
    logger,
    afterMs: config.REDISPATCH_AFTER_MS,
  });
  const shared = { rows, limit: config.INBOX_LIMIT, onWaiting: dispatcher.wake };
  const inbox = createInbox(shared);
  // Sweeps have an inbox of their own, so that the other's counts are deliveries only.
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
    ownership,
    attributes,
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

function settingsOf(
  { kind, tenant }: SubjectRef,
  { config, dependencies, taskQueue, isInline }: PartOptions,
): Omit<Settings, 'searchAttributes'> {
  const id = findTenant(dependencies.tenants, tenant)?.id;
  return {
    gracePeriodMs: config.GRACE_PERIOD_MS,
    stageLimitsMs: isWatched(kind) ? ownLimits(config.ORDER_STAGE_LIMITS) : {},
    signalsPerRun: config.SIGNALS_PER_RUN,
    inline: isInline(),
    eventTimeWithOthers: true,
    warehouseTaskQueue: warehouseTaskQueue(taskQueue, id),
    announceTaskQueue: announceTaskQueue(taskQueue),
  };
}
