import { condition, setDefaultSignalHandler, setHandler } from '@temporalio/workflow';
import { isObject } from '../src/base/json.ts';
import { LONGEST_TIMER_MS } from '../src/base/moment.ts';
import { cut, words } from '../src/base/text.ts';
import { retrievalOf, type SubjectRef } from '../src/domain/catalogue/subject.ts';
import { record } from './activities.ts';
import { events, lifecycle, refresh, release, type Settings, standing, timeline, undoRelease } from './messages.ts';
import { adopt, endWaits, type SubjectState, viewOf, WAREHOUSE, wake } from './state.ts';
import { show } from './visibility.ts';

/** Handlers accept any input: one that throws would fail every workflow task from then on. */
export function handleMessages(state: SubjectState): void {
  setHandler(lifecycle, () => viewOf(state), { description: 'Where it stands, and what waits.' });
  setHandler(standing, () => state.standing, {
    description: 'Where it stands, as the database last recorded it: stage, milestones that hold, facts, deadline.',
  });
  setHandler(timeline, () => state.timeline, {
    description: 'Its recent history, as lines of Markdown, oldest first.',
  });
  setHandler(refresh, () => refreshNow(state), {
    description: 'Retrieves it from the warehouse now, and returns where it stands then.',
    validator: () => {
      if (retrievalOf[state.subject.kind] === null)
        throw new Error(`no operation returns a ${words(state.subject.kind)}`);
    },
  });
  setHandler(release, (by?: string) => recordMarks(state, 'release', by), {
    description: 'Clears its marks for attention. Argument: the name of who does it, for the timeline.',
    validator: (_by?: string) => undefined,
  });
  setHandler(undoRelease, (by?: string) => recordMarks(state, 'undoRelease', by), {
    description: 'Brings back the marks for attention that were cleared. Argument: as of release.',
    validator: (_by?: string) => undefined,
  });
  setHandler(
    events,
    (names: unknown, settings: unknown) => {
      state.signals += 1;
      wake(state, readNames(names));
      state.settings = readSettings(state, settings) ?? state.settings;
    },
    { description: 'Wakes it. Dockline sends it; by hand, without arguments, it does no harm.' },
  );
  // Registered last, because it consumes every buffered signal that has no handler. Reading the store once more does no harm.
  setDefaultSignalHandler(() => {
    state.signals += 1;
    wake(state, []);
  });
}

async function refreshNow(state: SubjectState) {
  state.refreshesAsked += 1;
  const mine = state.refreshesAsked;
  state.expedited += 1;
  endWaits(state, WAREHOUSE);
  await condition(() => state.refreshesDone >= mine || state.isEnding);
  return viewOf(state);
}

async function recordMarks(state: SubjectState, change: 'release' | 'undoRelease', by: unknown) {
  const { subject, standing: known } = state;
  const releasedBy = typeof by === 'string' ? cut(by, NAME_LIMIT) : 'an update of the workflow';
  const input = { subject, known: known?.revision ?? null, eventIds: [], [change]: true, releasedBy };
  adopt(state, await record(change === 'release' ? 'release' : 'undo release', input));
  show(state);
  return viewOf(state);
}

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

/**
 * Accepts only task queues of the tenant or the shared ones: a queue without workers would block the subject. Compared
 * with the known queues, because the workflow's own differs in a replay.
 */
function areOwnQueues({ tenant }: SubjectRef, known: Settings, { warehouseTaskQueue, announceTaskQueue }: Settings) {
  const ending = `-${tenant}`;
  const sharedOf = (queue: string) => (queue.endsWith(ending) ? queue.slice(0, -ending.length) : queue);
  const isOwn = (own: string, queue: unknown) => typeof queue === 'string' && sharedOf(queue) === sharedOf(own);
  return isOwn(known.warehouseTaskQueue, warehouseTaskQueue) && isOwn(known.announceTaskQueue, announceTaskQueue);
}
