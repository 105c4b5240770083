import { condition, setDefaultSignalHandler, setHandler } from '@temporalio/workflow';
import { retrievalOf, type SubjectRef } from '../src/domain/catalogue/subject.ts';
import { LONGEST_TIMER_MS } from '../src/domain/longest-timer.ts';
import { cut } from '../src/domain/text.ts';
import { record } from './activities.ts';
import { events, lifecycle, refresh, release, type Settings, timeline } from './messages.ts';
import { adopt, type SubjectState, viewOf, wake } from './state.ts';
import { show } from './visibility.ts';

/** Registers the handlers of signals, queries and updates. Handlers accept any input: one that throws would fail every workflow task from then on. */
export function handleMessages(state: SubjectState): void {
  setHandler(lifecycle, () => viewOf(state));
  setHandler(timeline, () => state.timeline);
  setHandler(refresh, () => refreshNow(state), {
    validator: () => {
      if (retrievalOf[state.subject.kind] === null) throw new Error(`no operation returns a ${state.subject.kind}`);
    },
  });
  setHandler(release, (by?: string) => releaseNow(state, by), { validator: (_by?: string) => undefined });
  setHandler(events, (names: unknown, settings: unknown) => {
    state.signals += 1;
    wake(state, readNames(names));
    state.settings = readSettings(state, settings) ?? state.settings;
  });
  // Registered last, because it consumes every buffered signal that has no handler. Reading the store once more does no harm.
  setDefaultSignalHandler(() => {
    state.signals += 1;
    wake(state, []);
  });
}

/** Resolves when the subject has been fetched. At the end of a run it resolves with the current view, and the next run fetches. */
async function refreshNow(state: SubjectState) {
  state.refreshesAsked += 1;
  const mine = state.refreshesAsked;
  await condition(() => state.refreshesDone >= mine || state.isEnding);
  return viewOf(state);
}

async function releaseNow(state: SubjectState, by: unknown) {
  const { subject, standing } = state;
  const releasedBy = typeof by === 'string' ? cut(by, NAME_LIMIT) : 'an update of the workflow';
  const input = { subject, known: standing?.revision ?? null, eventIds: [], release: true, releasedBy };
  adopt(state, await record('release', input));
  show(state);
  return viewOf(state);
}

/** Longest name of an event or an operator, in characters. */
const NAME_LIMIT = 100;

const readNames = (names: unknown): string[] =>
  Array.isArray(names) ? names.flatMap((name) => (typeof name === 'string' ? [cut(name, NAME_LIMIT)] : [])) : [];

function readSettings({ subject, settings: known }: SubjectState, value: unknown): Settings | undefined {
  const settings = (value ?? {}) as Settings;
  const { gracePeriodMs, signalsPerRun, stageLimitsMs, inline } = settings;
  const areNumbers = isDuration(gracePeriodMs) && Number.isFinite(signalsPerRun) && signalsPerRun >= 1;
  const areLimits = isObject(stageLimitsMs) && Object.values(stageLimitsMs).every(isDuration);
  const isSound = areNumbers && areLimits && typeof inline === 'boolean' && areOwnQueues(subject, known, settings);
  return isSound ? settings : undefined;
}

const isDuration = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= LONGEST_TIMER_MS;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Accepts only task queues of the subject's own tenant or the shared ones: a queue that no worker polls would block the subject. They are
 * compared with the current ones rather than the workflow's task queue, which differs in a replay.
 */
function areOwnQueues({ tenant }: SubjectRef, known: Settings, { warehouseTaskQueue, announceTaskQueue }: Settings) {
  const ending = `-${tenant}`;
  const sharedOf = (queue: string) => (queue.endsWith(ending) ? queue.slice(0, -ending.length) : queue);
  const isOwn = (own: string, queue: unknown) => typeof queue === 'string' && sharedOf(queue) === sharedOf(own);
  return isOwn(known.warehouseTaskQueue, warehouseTaskQueue) && isOwn(known.announceTaskQueue, announceTaskQueue);
}
