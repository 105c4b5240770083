import {
  ActivityFailure,
  ApplicationFailure,
  continueAsNew,
  defineQuery,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/activities.ts';
import {
  afterFailure,
  afterPart,
  beginSweep,
  describePart,
  type Part,
  type Reconciled,
  type ReconcileInput,
  type SweepState,
} from './sweep-state.ts';

/** How far the sweep is. */
export const progress = defineQuery<SweepState>('progress');

/**
 * Compares what one warehouse lists with what is known of it, page by page, and takes in what differs. Kinds do not hold each
 * other back: a sweep in which one could not be listed fails, but only once the others are through.
 */
export async function reconcile(input: ReconcileInput): Promise<Reconciled> {
  const { lastResult } = workflowInfo();
  let state = input.carried ?? beginSweep(input, Date.now(), lastResult as Reconciled | undefined);
  setHandler(progress, () => state);
  const activities = createSweepProxies(input);
  for (let pages = 0; ; pages += 1) {
    setCurrentDetails(detailsOf(state));
    const [part] = state.parts;
    if (!part) return finish(state);
    if (pages >= input.pagesPerRun || workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof reconcile>({ ...input, carried: state });
    }
    state = await sweepPart(state, part, { input, activities });
  }
}

/** A sweep gives up in the end, since the next one does its work again: it must not wait for ever for a role that is not granted. */
function createSweepProxies({ warehouseTaskQueue }: ReconcileInput) {
  return proxyActivities<Pick<Activities, 'sweepChanged' | 'sweepOpen'>>({
    taskQueue: warehouseTaskQueue,
    startToCloseTimeout: '2 minutes',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes', maximumAttempts: 10 },
  });
}

interface Means {
  readonly input: ReconcileInput;
  readonly activities: ReturnType<typeof createSweepProxies>;
}

async function sweepPart(state: SweepState, part: Part, means: Means): Promise<SweepState> {
  try {
    return part.of === 'changed' ? await sweepChanged(state, part, means) : await sweepOpen(state, part, means);
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    const { type, message } = error.cause instanceof ApplicationFailure ? error.cause : { type: null, message: null };
    return afterFailure(state, { kind: part.kind, code: type ?? error.name, message: message ?? error.message });
  }
}

async function sweepChanged(
  state: SweepState,
  part: Extract<Part, { of: 'changed' }>,
  { input: { overlapMs, pageSize }, activities }: Means,
): Promise<SweepState> {
  const { tenant, startedAt } = state;
  const { kind, page, rowsBefore } = part;
  const since = state.since - overlapMs;
  const swept = await activities.sweepChanged.executeWithOptions({ summary: describePart(part) }, [
    { tenant, kind, startedAt, since, page, pageSize, rowsBefore },
  ]);
  const next = { ...part, page: page + 1, rowsBefore: rowsBefore + swept.rows };
  return afterPart(state, swept, swept.more ? next : null);
}

async function sweepOpen(
  state: SweepState,
  part: Extract<Part, { of: 'open' }>,
  { input: { quietMs }, activities }: Means,
): Promise<SweepState> {
  const { tenant, startedAt } = state;
  const swept = await activities.sweepOpen.executeWithOptions({ summary: describePart(part) }, [
    { tenant, kind: part.kind, startedAt, after: part.after, quietMs },
  ]);
  return afterPart(state, swept, swept.next === null ? null : { ...part, after: swept.next });
}

function finish({ tenant, startedAt, since, tallies, failures }: SweepState): Reconciled {
  const reconciled = { tenant, startedAt, since, tallies };
  const [first] = failures;
  if (!first) return reconciled;
  throw ApplicationFailure.create({
    type: first.code,
    message: failures.map(({ kind, message }) => `${kind}: ${message}`).join('; '),
    nonRetryable: true,
    details: [reconciled],
  });
}

function detailsOf({ tenant, since, parts, tallies, failures }: SweepState): string {
  const rows = Object.entries(tallies).map(
    ([kind, { rows, open, differing, missing, fed }]) =>
      `| ${kind} | ${rows} | ${open} | ${differing} | ${missing} | ${fed} |`,
  );
  return [
    `### Warehouse ${tenant}: what changed since ${new Date(since).toISOString()}, and what is open`,
    parts[0] ? describePart(parts[0]) : 'done',
    ...['', '| | changed | open | differing | missing | taken in |', '|---|---|---|---|---|---|', ...rows, ''],
    ...failures.map(({ kind, message }) => `**${kind}**: ${message}`),
  ].join('\n');
}
