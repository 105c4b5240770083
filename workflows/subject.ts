import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  workflowInfo,
} from '@temporalio/workflow';
import type { NeedsRetrieval } from '../activities/advance.ts';
import type { Published } from '../activities/process-batch.ts';
import { brief, describeFailure } from '../src/domain/lifecycle/timeline.ts';
import { advance, retrieve } from './activities.ts';
import { adoptAnnounced, keepAnnouncing } from './announcing.ts';
import { handleMessages } from './handlers.ts';
import type { SubjectInput } from './messages.ts';
import {
  adopt,
  carry,
  createState,
  endWaits,
  hasWork,
  isRefreshing,
  note,
  type SubjectState,
  unlessExpedited,
  WAREHOUSE,
  wake,
} from './state.ts';
import { show, showDetails } from './visibility.ts';
import { keepDeadline, keepWatch } from './watches.ts';

/**
 * Follows one subject from its first event until its grace period is over. A wake means that events wait in the inbox.
 * Announcing and the watches of stage and deadline run concurrently, so that none blocks another.
 */
export async function follow(input: SubjectInput): Promise<void> {
  const state = createState(input);
  handleMessages(state);
  // Neither the memo nor the details survive continue-as-new.
  if (state.standing) show(state);
  else showDetails(state);
  const beside = new CancellationScope();
  const stopped = beside.run(() =>
    Promise.all(
      [
        keepAnnouncing(state, 'outbox'),
        keepAnnouncing(state, 'rejectedAnnouncements'),
        keepWatch(state),
        keepDeadline(state),
      ].map(untilCanceled),
    ),
  );

  const ending = await Promise.race([process(state), stopped]).catch(async (error: unknown) => {
    state.isEnding = true;
    beside.cancel();
    // An announcement in flight is completed even if the workflow is canceled.
    await stopped;
    throw error;
  });
  beside.cancel();
  // No await may separate the last check from the end.
  if (ending === 'over') return;
  state.isEnding = true;
  await stopped;
  await condition(allHandlersFinished);
  await continueAsNew<typeof follow>({ subject: state.subject, settings: state.settings, carried: carry(state) });
}

async function process(state: SubjectState): Promise<'over' | 'long'> {
  for (;;) {
    if (isLong(state)) return 'long';
    if (hasWork(state)) await processBatch(state);
    else if (state.standing?.lookAgainAt !== undefined) await awaitRecheck(state, state.standing.lookAgainAt);
    else if (await hasEnded(state)) return 'over';
  }
}

async function processBatch(state: SubjectState): Promise<void> {
  const { refreshesAsked, expedited, names, settings } = state;
  const { inline } = settings;
  const what = describeWork(state);
  Object.assign(state, { isAwake: false, names: [] });

  const lingerMs = Math.min(LONGEST_LINGER_MS, state.followUps * LINGER_MS);
  const advanced = await advance(what, { ...batchOf(state), retrieve: inline, announce: inline, lingerMs });
  if ('recorded' in advanced) adoptPublished(state, advanced);
  else {
    const published = state.expedited > expedited ? undefined : await retrieveRegularly(state, what, advanced);
    if (!published) return wake(state, names);
    adoptPublished(state, published);
  }
  state.refreshesDone = refreshesAsked;
  show(state);
}

/** While events keep coming, each batch lingers longer, which saves GETs. */
const LINGER_MS = 10;
const LONGEST_LINGER_MS = 200;

const describeWork = (state: SubjectState): string =>
  brief([...new Set(state.names)]) || (isRefreshing(state) ? 'a refresh' : 'waiting events');

const batchOf = (state: SubjectState) => ({
  subject: state.subject,
  known: state.standing?.revision ?? null,
  refresh: isRefreshing(state),
  busy: [...state.outbox.keys()],
});

/** Undefined if it was expedited before it succeeded. */
async function retrieveRegularly(
  state: SubjectState,
  what: string,
  { operations, found, tried }: NeedsRetrieval,
): Promise<Published | undefined> {
  if (found) adopt(state, found);
  if (tried) note(state, describeFailure(Date.now(), tried.reason));
  const summary = `${brief(operations) || 'retrieve'} for ${what}`;
  const input = { ...batchOf(state), announce: true, wasTried: tried !== undefined, waitMs: tried?.waitMs ?? 0 };
  return await unlessExpedited(state, WAREHOUSE, () => retrieve(summary, input, state.settings));
}

function adoptPublished(state: SubjectState, { recorded, announced, hurried: expedited = [] }: Published): void {
  const left = Object.entries(announced).map(([destination, inline]) => [destination, inline.left]);
  adopt(state, { ...recorded, announce: { ...recorded.announce, ...Object.fromEntries(left) } });
  for (const [destination, inline] of Object.entries(announced)) adoptAnnounced(state, destination, inline);
  for (const destination of expedited) endWaits(state, destination);
}

/** Keeps clocks that differ from causing one GET after another. */
const LEAST_WAIT_MS = 1000;

async function awaitRecheck(state: SubjectState, lookAgainAt: number): Promise<void> {
  const hasChanged = () => hasWork(state) || isLong(state) || state.standing?.lookAgainAt !== lookAgainAt;
  const waitMs = Math.max(LEAST_WAIT_MS, lookAgainAt - Date.now());
  if (!(await condition(hasChanged, waitMs, { summary: 'recheck at the warehouse' }))) state.refreshesAsked += 1;
}

async function hasEnded(state: SubjectState): Promise<boolean> {
  if (!state.standing?.isOver) {
    await condition(() => hasWork(state) || isLong(state) || state.standing?.isOver === true);
    return false;
  }
  const woken = await condition(() => hasWork(state) || isLong(state), state.settings.gracePeriodMs, {
    summary: 'end, unless something follows',
  });
  if (woken) return false;
  await condition(() => hasWork(state) || (state.outbox.size === 0 && state.rejectedAnnouncements.size === 0));
  return !hasWork(state) && state.standing.isOver && allHandlersFinished();
}

const isLong = ({ signals, settings }: SubjectState): boolean =>
  signals >= settings.signalsPerRun || workflowInfo().continueAsNewSuggested;

/** The task runs until its scope is canceled. */
async function untilCanceled(endless: Promise<never>): Promise<void> {
  try {
    await endless;
  } catch (error) {
    if (!isCancellation(error)) throw error;
  }
}
