import { condition } from '@temporalio/workflow';
import type { Recorded } from '../activities/record.ts';
import { enrich, type FoundIds } from '../src/domain/enrichment.ts';
import type { Change, Lifecycle } from '../src/domain/lifecycle.ts';
import type { Observed } from '../src/domain/observe.ts';
import { stageOf } from '../src/domain/stage.ts';
import { announcementId } from '../src/domain/subject.ts';
import type { ActivityProxies } from './activities.ts';
import { type LifeState, note, remember } from './state.ts';
import { brief, describeAnnouncements, describeChange } from './timeline.ts';

/** Observes something, from the lifecycle as it stands then. */
export type Observing = (lifecycle: Lifecycle) => Observed;

/** What a retrieval found for what is observed, and what came of recording it, where that was done already. */
export interface Beforehand {
  readonly found?: FoundIds | undefined;
  readonly published?: Recorded | undefined;
}

/**
 * Observes, records what that changed, and only then takes it in; one at a time. A worker that dies loses its workflow task, and
 * the task that is done in its place may observe more. What the lost one recorded stands all the same: it is taken in first, and
 * everything is observed again from there.
 */
export async function advance(
  state: LifeState,
  activities: Pick<ActivityProxies, 'publish'>,
  observing: Observing,
  { found, published }: Beforehand = {},
): Promise<void> {
  // Several that wait are let go in the same moment, and the first of them goes.
  while (state.isAdvancing) await condition(() => !state.isAdvancing);
  state.isAdvancing = true;
  try {
    let isDone = await tryToAdvance(state, activities, observing, { found, published });
    while (!isDone) isDone = await tryToAdvance(state, activities, observing, { found });
  } finally {
    state.isAdvancing = false;
  }
}

async function tryToAdvance(
  state: LifeState,
  { publish }: Pick<ActivityProxies, 'publish'>,
  observing: Observing,
  { found, published }: Beforehand,
): Promise<boolean> {
  const observed = observing(state.lifecycle);
  const { lifecycle, changes } = observed;
  if (changes.length > 0) {
    const { subject } = state;
    const summary = `revision ${lifecycle.revision}: ${brief(changes.map(({ milestone }) => milestone))}`;
    const announce = state.outbox.length === 0;
    const { left, overtaken } =
      published ??
      (await publish(summary, { subject, lifecycle, changes: enrich(subject, observed, found), announce }));
    if (overtaken) {
      remember(state, overtaken);
      return false;
    }
    note(state, ...changes.map(describeChange));
    takeOutcome(state, changes, left);
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
