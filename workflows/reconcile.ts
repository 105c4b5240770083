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
import { words } from '../src/base/text.ts';
import type { FailureCode } from '../src/domain/errors.ts';
import {
  afterFailure,
  afterPart,
  beginSweep,
  describePart,
  nextSinceOf,
  type Part,
  type Reconciled,
  type ReconcileInput,
  type SweepState,
} from './sweep-state.ts';

export const progress = defineQuery<SweepState>('progress');

/**
 * Compares one warehouse's listings with the store, page by page, and ingests the differences. A kind that cannot be
 * listed fails the sweep only after the others are done.
 */
export async function reconcile(input: ReconcileInput): Promise<Reconciled> {
  let state = input.carried ?? beginSweep(input, Date.now(), resultBefore());
  setHandler(progress, () => state, { description: 'How far it is, and what it has found.' });
  for (let pages = 0; ; pages += 1) {
    setCurrentDetails(detailsOf(state));
    const [part] = state.parts;
    if (!part) return finish(state);
    if (pages >= input.pagesPerRun || workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof reconcile>({ ...input, carried: state });
    }
    state = await sweepPart(state, part, input);
  }
}

/** Of the schedule's sweep before, which may have failed for some kinds. */
function resultBefore(): Reconciled | undefined {
  const { lastResult, lastFailure } = workflowInfo();
  const [partial] = (lastFailure instanceof ApplicationFailure ? lastFailure.details : undefined) ?? [];
  return (partial ?? lastResult) as Reconciled | undefined;
}

/**
 * Attempts are limited, and none follows a refusal of the credential or its roles: the next sweep repeats the work, and a
 * missing role must not block this one.
 */
const createSweepProxies = ({ warehouseTaskQueue }: ReconcileInput) =>
  proxyActivities<Pick<Activities, 'sweepChanged' | 'sweepOpen'>>({
    taskQueue: warehouseTaskQueue,
    startToCloseTimeout: '2 minutes',
    retry: {
      initialInterval: '1 second',
      backoffCoefficient: 2,
      maximumInterval: '5 minutes',
      maximumAttempts: 10,
      nonRetryableErrorTypes: SHUT,
    },
  });

const SHUT: string[] = ['ERR_WAREHOUSE_UNAUTHENTICATED', 'ERR_WAREHOUSE_FORBIDDEN'] satisfies FailureCode[];

async function sweepPart(state: SweepState, part: Part, input: ReconcileInput): Promise<SweepState> {
  const { tenant, startedAt, backfill } = state;
  const { kind, of, after } = part;
  const { overlapMs, pageSize, quietMs, askedBy } = input;
  const { sweepChanged, sweepOpen } = createSweepProxies(input);
  const since = backfill?.open ? null : part.since - overlapMs;
  const isAsked = askedBy !== undefined && after === '' && !backfill?.dryRun;
  const asked = isAsked ? ({ action: backfill ? 'backfill' : 'reconcile', by: askedBy } as const) : undefined;
  const options = { summary: describePart(part) };
  const sweeping = { tenant, kind, startedAt, after };
  try {
    const swept = await (of === 'changed'
      ? sweepChanged.executeWithOptions(options, [{ ...sweeping, since, pageSize, asked, backfill }])
      : sweepOpen.executeWithOptions(options, [{ ...sweeping, quietMs }]));
    return afterPart(state, swept);
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    const { type, message } = error.cause instanceof ApplicationFailure ? error.cause : { type: null, message: null };
    return afterFailure(state, { kind, code: type ?? error.name, message: message ?? error.message });
  }
}

function finish(state: SweepState): Reconciled {
  const { parts: _, failures, ...swept } = state;
  const reconciled = { ...swept, nextSince: nextSinceOf(state) };
  const [first] = failures;
  if (!first) return reconciled;
  throw ApplicationFailure.create({
    type: first.code,
    message: failures.map(({ kind, message }) => `${words(kind)}: ${message}`).join('; '),
    nonRetryable: true,
    details: [reconciled],
  });
}

function titleOf({ tenant, since, backfill }: SweepState): string {
  const changes = `changes since ${new Date(since).toISOString()}`;
  if (!backfill) return `### Warehouse ${tenant}: ${changes}, and open subjects`;
  return `### Warehouse ${tenant}: backfill of ${backfill.open ? 'open subjects' : changes}`;
}

function detailsOf(state: SweepState): string {
  const { parts, tallies, failures } = state;
  const rows = Object.entries(tallies).map(
    ([kind, { rows, open, differing, missing, fed }]) =>
      `| ${words(kind)} | ${rows} | ${open} | ${differing} | ${missing} | ${fed} |`,
  );
  return [
    titleOf(state),
    parts[0] ? describePart(parts[0]) : 'done',
    '',
    '| | changed | open | differing | missing | ingested |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    ...failures.map(({ kind, message }) => `**${words(kind)}**: ${message}`),
  ].join('\n');
}
