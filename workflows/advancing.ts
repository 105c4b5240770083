import { condition } from '@temporalio/workflow';
import type { EnrichedChange } from '../activities/record.ts';
import type { Retrieved } from '../activities/retrieve.ts';
import type { Change, Lifecycle } from '../src/domain/lifecycle.ts';
import type { Observed } from '../src/domain/observe.ts';
import { stageOf } from '../src/domain/stage.ts';
import { announcementId, orderItemKey, type SubjectRef } from '../src/domain/subject.ts';
import type { ActivityProxies } from './activities.ts';
import { type LifeState, note, remember } from './state.ts';
import { brief, describeAnnouncements, describeChange } from './timeline.ts';

/** Observes something, from the lifecycle as it stands then. */
export type Observing = (lifecycle: Lifecycle) => Observed;

/**
 * Observes, records what that changed, and only then takes it in; one at a time. A worker that dies loses its workflow task, and
 * the task that is done in its place may observe more. What the lost one recorded stands all the same: it is taken in first, and
 * everything is observed again from there.
 */
export async function advance(
  state: LifeState,
  activities: Pick<ActivityProxies, 'publish'>,
  observing: Observing,
  retrieved?: Retrieved,
): Promise<void> {
  // Several that wait are let go in the same moment, and the first of them goes.
  while (state.isAdvancing) await condition(() => !state.isAdvancing);
  state.isAdvancing = true;
  try {
    while (!(await tryToAdvance(state, activities, observing, retrieved)));
  } finally {
    state.isAdvancing = false;
  }
}

async function tryToAdvance(
  state: LifeState,
  { publish }: Pick<ActivityProxies, 'publish'>,
  observing: Observing,
  retrieved?: Retrieved,
): Promise<boolean> {
  const { lifecycle, changes: found } = observing(state.lifecycle);
  const { subject } = state;
  const changes = found.map((change) => enrich(subject, lifecycle, change, retrieved));
  if (changes.length > 0) {
    const summary = `revision ${lifecycle.revision}: ${brief(found.map(({ milestone }) => milestone))}`;
    const announce = state.outbox.length === 0;
    const { left, overtaken } = await publish(summary, { subject, lifecycle, changes, announce });
    if (overtaken) {
      remember(state, overtaken);
      return false;
    }
    note(state, ...found.map(describeChange));
    takeOutcome(state, found, left);
    state.recorded = lifecycle;
  }
  if (stageOf(lifecycle) !== stageOf(state.lifecycle)) state.stageSince = Date.now();
  state.lifecycle = lifecycle;
  return true;
}

function takeOutcome(state: LifeState, changes: readonly Change[], left: readonly string[]): void {
  const announced = changes.map((change) => announcementId(state.subject, change)).filter((id) => !left.includes(id));
  if (announced.length > 0) note(state, describeAnnouncements(Date.now(), announced));
  state.outbox.push(...left);
}

function enrich(subject: SubjectRef, { snapshot }: Lifecycle, change: Change, retrieved?: Retrieved): EnrichedChange {
  const plan = change.event?.plan ?? [];
  const user = plan.includes('getUser') ? (change.event?.userId ?? retrieved?.modifiedBy) : undefined;
  const pickList = plan.includes('getOrdersPicklist') ? (change.event?.pickJobId ?? retrieved?.pickJobId) : undefined;
  const customer = snapshot?.customerId;
  const line = change.event?.orderItemId;
  return {
    change,
    resources: {
      ...(line && { orderItem: orderItemKey(subject.id, line) }),
      // What came with the event is read from its message.
      ...(!line && !change.event?.shown && { [subject.kind]: subject.id }),
      ...(customer && { customer }),
      ...(user && { user }),
      ...(pickList && { pickList }),
    },
  };
}
