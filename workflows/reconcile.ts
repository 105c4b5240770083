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
import type { ListedPage } from '../src/warehouse/gets.ts';
import {
  afterFailure,
  afterPart,
  beginSweep,
  type ChangedPart,
  describePart,
  nextSinceOf,
  type OpenPart,
  type Part,
  type Reconciled,
  type ReconcileInput,
  type SweepState,
} from './sweep-state.ts';

/** The warehouse may keep to a size of its own, and say the total of the page: only a page without rows is the last. */
export const partAfter = (
  { kind, of, since, page, rowsBefore }: ChangedPart,
  { by, count, total, anchor }: Pick<ListedPage, 'by' | 'count' | 'total' | 'anchor'>,
): Part | null =>
  count > 0 ? { kind, of, by, since, total, page: page + 1, rowsBefore: rowsBefore + count, anchor } : null;

export const progress = defineQuery<SweepState>('progress');

/**
 * Compares one warehouse's listings with the store, page by page, and ingests the differences. A kind that cannot be
 * listed fails the sweep only after the others are done.
 */
export async function reconcile(input: ReconcileInput): Promise<Reconciled> {
  let state = input.carried ?? beginSweep(input, Date.now(), earlierResults());
  setHandler(progress, () => state, { description: 'How far it is, and what it has found.' });
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

/** Results of the schedule's last successful sweep, and of the last one if that failed. */
function earlierResults(): readonly Reconciled[] {
  const { lastResult, lastFailure } = workflowInfo();
  const [partial] = (lastFailure instanceof ApplicationFailure ? lastFailure.details : undefined) ?? [];
  return [lastResult, partial].filter(Boolean) as Reconciled[];
}

/** Attempts are limited: the next sweep repeats the work, and a missing role must not block this one for ever. */
function createSweepProxies({ warehouseTaskQueue, isAwaited = false }: ReconcileInput) {
  return proxyActivities<Pick<Activities, 'sweepChanged' | 'sweepOpen'>>({
    taskQueue: warehouseTaskQueue,
    startToCloseTimeout: '2 minutes',
    retry: {
      initialInterval: '1 second',
      backoffCoefficient: 2,
      maximumInterval: '5 minutes',
      maximumAttempts: 10,
      ...(isAwaited && { nonRetryableErrorTypes: SHUT }),
    },
  });
}

/** They last until somebody changes the credential or its roles. */
const SHUT: string[] = ['ERR_WAREHOUSE_UNAUTHENTICATED', 'ERR_WAREHOUSE_FORBIDDEN'] satisfies FailureCode[];

interface SweepContext {
  readonly input: ReconcileInput;
  readonly activities: ReturnType<typeof createSweepProxies>;
}

async function sweepPart(state: SweepState, part: Part, context: SweepContext): Promise<SweepState> {
  try {
    return part.of === 'changed' ? await sweepChanged(state, part, context) : await sweepOpen(state, part, context);
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    const { type, message } = error.cause instanceof ApplicationFailure ? error.cause : { type: null, message: null };
    return afterFailure(state, { kind: part.kind, code: type ?? error.name, message: message ?? error.message });
  }
}

async function sweepChanged(
  state: SweepState,
  part: ChangedPart,
  { input: { overlapMs, pageSize, askedBy }, activities }: SweepContext,
): Promise<SweepState> {
  const { tenant, startedAt, backfill } = state;
  const { kind, page, rowsBefore, by, anchor } = part;
  const since = backfill?.open ? null : part.since - overlapMs;
  const isAsked = askedBy !== undefined && page === 1 && !backfill?.dryRun;
  const asked = isAsked ? ({ action: backfill ? 'backfill' : 'reconcile', by: askedBy } as const) : undefined;
  const swept = await activities.sweepChanged.executeWithOptions({ summary: describePart(part) }, [
    { tenant, kind, startedAt, since, page, pageSize, rowsBefore, by, anchor, asked, backfill },
  ]);
  return afterPart(state, swept, partAfter(part, swept));
}

async function sweepOpen(
  state: SweepState,
  part: OpenPart,
  { input: { quietMs }, activities }: SweepContext,
): Promise<SweepState> {
  const { tenant, startedAt } = state;
  const swept = await activities.sweepOpen.executeWithOptions({ summary: describePart(part) }, [
    { tenant, kind: part.kind, startedAt, after: part.after, quietMs },
  ]);
  return afterPart(state, swept, swept.next === null ? null : { ...part, after: swept.next });
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
  const { parts, tallies, failures, limitations = [] } = state;
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
    ...[...failures, ...limitations].map(({ kind, message }) => `**${words(kind)}**: ${message}`),
  ].join('\n');
}
