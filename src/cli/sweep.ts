import type { Client } from '@temporalio/client';
import { Option } from 'commander';
import type { BackfillOptions } from '../../activities/sweep.ts';
import {
  addUp,
  describePart,
  type Part,
  type Reconciled,
  type ReconcileInput,
  type SweepState,
} from '../../workflows/sweep-state.ts';
import { sweepInputs } from '../app/sweeps.ts';
import { temporalTarget } from '../app/temporal-target.ts';
import { formatTable, words } from '../base/text.ts';
import type { Config } from '../config/config.ts';
import { type SweptKind, sweptKinds } from '../domain/catalogue/subject.ts';
import { isOutage, openTemporal } from '../temporal/connection.ts';
import { runSweep } from '../temporal/sweep-client.ts';
import { chooseTenants } from './admin/places.ts';
import { operatorName } from './environment.ts';
import type { Output } from './output.ts';
import { UsageError } from './usage-error.ts';

export interface SweepOptions {
  /** Default: `RECONCILE_LOOKBACK_MS` ago. */
  readonly since?: number;
  /** Default: all tenants. */
  readonly tenant?: string;
  /** Default: `RECONCILE_KINDS`. */
  readonly kind?: readonly SweptKind[];
  readonly json?: boolean;
}

export const kindOption = (description: string): Option =>
  new Option('--kind <kinds>', `${description}: ${sweptKinds.join(', ')}, separated by commas`).argParser((text) => {
    const kinds = text.split(',').map((kind) => kind.trim());
    const known = sweptKinds.filter((kind) => kinds.includes(kind));
    if (known.length < kinds.length)
      throw new UsageError(`--kind must be one of ${sweptKinds.join(', ')}, or several, not "${text}"`);
    return known;
  });

interface Sweeping {
  readonly config: Config;
  readonly options: SweepOptions;
  /** Makes unknown subjects known instead of comparing known ones. */
  readonly backfill?: BackfillOptions;
  /** Cancels the current sweep and skips the others. */
  readonly stop: AbortSignal;
  readonly output: Output;
  readonly taskQueue: string;
}

type Outcome = Reconciled | { readonly tenant: string; readonly error: string };

/** A failure of a tenant does not stop the others; rejects at the end with a message for the user. */
export async function sweep(sweeping: Sweeping): Promise<void> {
  const { config, options, output, taskQueue } = sweeping;
  const target = temporalTarget(config);
  await using opened = new AsyncDisposableStack();
  const { client } = opened.adopt(openTemporal({ ...target, callTimeoutMs: 5000 }), (it) => it.close());
  const tenants = chooseTenants(config.simulated ? [config.simulated] : config.tenants, options.tenant);
  const outcomes = await sweepAll(client, sweepInputs(config, taskQueue, tenants), sweeping).catch((error: unknown) => {
    if (!isOutage(error)) throw error;
    throw new Error(`Temporal does not answer at ${target.address}; is Dockline running?`, { cause: error });
  });
  if (options.json) output.print(JSON.stringify({ sweeps: outcomes }));
  const failures = outcomes.filter((outcome) => 'error' in outcome);
  if (failures.length > 0)
    throw new Error(failures.map(({ tenant, error }) => `warehouse ${tenant}: ${error}`).join('\n'));
}

async function sweepAll(
  client: Client,
  inputs: readonly ReconcileInput[],
  sweeping: Sweeping,
): Promise<readonly Outcome[]> {
  const { config, options, backfill, stop } = sweeping;
  const since = options.since ?? Date.now() - config.RECONCILE_LOOKBACK_MS;
  const asked = {
    since,
    isAwaited: true,
    askedBy: operatorName(),
    ...(options.kind && { kinds: options.kind }),
    ...(backfill && { backfill }),
  };
  const outcomes: Outcome[] = [];
  for (const input of inputs) {
    if (!stop.aborted) outcomes.push(await sweepOne(client, { ...input, ...asked }, sweeping));
  }
  return outcomes;
}

async function sweepOne(
  client: Client,
  input: ReconcileInput,
  { output, stop, ...sweeping }: Sweeping,
): Promise<Outcome> {
  const onProgress = (...progress: Parameters<typeof describeProgress>) =>
    output.progress.show(describeProgress(...progress));
  const onFollow = () =>
    output.say(`A backfill of warehouse ${input.tenant} is under way, with its own options; this follows it.`);
  try {
    const onWaiting = (why: string) => output.progress.show(`waiting: ${why}`);
    const reconciled = await runSweep({ ...sweeping, client, input, onProgress, onFollow, onWaiting, signal: stop });
    output.say(describeOutcome(reconciled));
    return reconciled;
  } catch (error) {
    output.progress.end();
    if (isOutage(error)) throw error;
    return { tenant: input.tenant, error: (error as Error).message };
  }
}

export function describeProgress(
  { tenant, parts, tallies, backfill }: SweepState,
  trouble: string | undefined,
): string {
  const { rows, open, differing, missing, fed } = addUp(Object.values(tallies));
  const figures = backfill
    ? `${rows} listed, ${differing} new, ${fed} ingested`
    : `${rows} changed, ${open} open, ${differing} differ, ${missing} missing, ${fed} ingested`;
  const [part] = parts;
  const where = part ? `${describePart(part)}${shareOf(part)}` : 'done';
  return `warehouse ${tenant}, ${where}: ${figures}${trouble ? `; ${trouble}` : ''}`;
}

const shareOf = (part: Part): string =>
  part.of === 'changed' && part.total !== undefined ? ` (row ${part.rowsBefore + 1} of ${part.total})` : '';

export function describeOutcome(reconciled: Reconciled): string {
  const { tallies, limitations = [] } = reconciled;
  return [
    ...tableOf(reconciled),
    ...limitations.map(({ kind, message }) => `${words(kind)}: ${message}.`),
    describeIngested(addUp(Object.values(tallies)).fed, reconciled.backfill),
  ].join('\n');
}

function tableOf({ tenant, since, tallies, backfill }: Reconciled): string[] {
  const changes = `changes since ${new Date(since).toISOString()}`;
  const swept = backfill ? (backfill.open ? 'open subjects' : changes) : `${changes} and open subjects`;
  const figures = backfill
    ? ['listed', 'known', 'new', 'ingested']
    : ['changed', 'open', 'differing', 'missing', 'ingested'];
  const rows = Object.entries(tallies).map(([kind, { rows, open, differing, missing, fed }]) => [
    words(kind),
    ...(backfill ? [rows, rows - differing, differing, fed] : [rows, open, differing, missing, fed]).map(String),
  ]);
  return [`Warehouse ${tenant}, ${swept}:`, formatTable([['kind', ...figures], ...rows])];
}

function describeIngested(fed: number, backfill: BackfillOptions | undefined): string {
  if (backfill?.dryRun) return 'Nothing was ingested: this was a dry run.';
  if (fed === 0) return 'Nothing had to be ingested.';
  if (backfill && !backfill.announce) return 'Each ingested subject becomes known now, and nothing of it is announced.';
  return 'The workflow of each ingested subject fetches it now.';
}
