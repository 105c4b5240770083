import type { Client } from '@temporalio/client';
import { Option } from 'commander';
import type { BackfillOptions, Tally } from '../../activities/sweep.ts';
import {
  addUp,
  describePart,
  type Reconciled,
  type ReconcileInput,
  type SweepState,
} from '../../workflows/sweep-state.ts';
import { temporalTarget } from '../app/service-options.ts';
import { sweepInputs } from '../app/sweeps.ts';
import { formatTable, words } from '../base/text.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { type SweptKind, sweptKinds } from '../domain/catalogue/subject.ts';
import { mainKind } from '../domain/kinds/kinds.ts';
import { isOutage, openTemporal } from '../temporal/connection.ts';
import { TASK_QUEUE } from '../temporal/pollers.ts';
import { runSweep } from '../temporal/sweep-client.ts';
import { chooseTenants } from './admin/client.ts';
import {
  CONFIGURATION_HELP,
  createCommand,
  momentOption,
  openStopSignal,
  operatorName,
  UsageError,
} from './command.ts';
import { type Output, openOutput } from './output.ts';

interface SweepOptions {
  /** Default: the look-back of the first sweep. */
  readonly since?: number;
  readonly tenant?: string;
  /** Default: `RECONCILE_KINDS`. */
  readonly kind?: readonly SweptKind[];
  readonly json?: boolean;
}

export const kindOption = (description: string): Option =>
  new Option('--kind <kind...>', description).choices(sweptKinds);

interface Sweeping {
  readonly config: Config;
  readonly options: SweepOptions;
  /** Makes unknown subjects known instead of comparing known ones. */
  readonly backfill?: BackfillOptions;
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
  { options, backfill, stop, output, taskQueue }: Sweeping,
): Promise<readonly Outcome[]> {
  const asked = {
    askedBy: operatorName(),
    ...(options.kind && { kinds: options.kind }),
    ...(backfill && { backfill }),
  };
  const { progress, say } = output;
  const outcomes: Outcome[] = [];
  for (const { tenant, ...input } of inputs) {
    if (stop.aborted) break;
    try {
      const reconciled = await runSweep({
        client,
        taskQueue,
        input: { ...input, tenant, since: options.since ?? Date.now() - input.lookBackMs, ...asked },
        signal: stop,
        onProgress: (state, trouble) => progress.show(describeProgress(state, trouble)),
      });
      say(describeOutcome(reconciled));
      outcomes.push(reconciled);
    } catch (error) {
      progress.end();
      if (isOutage(error)) throw error;
      outcomes.push({ tenant, error: (error as Error).message });
    }
  }
  return outcomes;
}

const figuresOf = ({ rows, fed, ...others }: Tally): Readonly<Record<string, number>> => ({
  listed: rows,
  ...others,
  ingested: fed,
});

export function describeProgress({ tenant, parts: [part], tallies }: SweepState, trouble: string | undefined): string {
  const figures = Object.entries(figuresOf(addUp(Object.values(tallies))));
  const counts = figures.map(([name, count]) => `${count} ${name}`).join(', ');
  return `warehouse ${tenant}, ${part ? describePart(part) : 'done'}: ${counts}${trouble ? `; ${trouble}` : ''}`;
}

export function describeOutcome({ tenant, since, tallies, backfill }: Reconciled): string {
  const changes = `changes since ${new Date(since).toISOString()}`;
  const swept = backfill ? (backfill.open ? 'open subjects' : changes) : `${changes} and open subjects`;
  const total = addUp(Object.values(tallies));
  const rows = Object.entries(tallies).map(([kind, tally]) => [
    words(kind),
    ...Object.values(figuresOf(tally)).map(String),
  ]);
  return [
    `Warehouse ${tenant}, ${swept}:`,
    formatTable([['kind', ...Object.keys(figuresOf(total))], ...rows]),
    describeIngested(total.fed, backfill),
  ].join('\n');
}

function describeIngested(fed: number, backfill: BackfillOptions | undefined): string {
  if (backfill?.dryRun) return 'Nothing was ingested: this was a dry run.';
  if (fed === 0) return 'Nothing had to be ingested.';
  if (backfill) return 'Each ingested subject becomes known now, and nothing of it is announced.';
  return 'The workflow of each ingested subject fetches it now.';
}

export const reconcile = createCommand(
  'dockline reconcile',
  'Compares the lists of the warehouse with the records of a running Dockline, and fetches what differs.',
)
  .addOption(momentOption('since', 'compare changes since this time or age instead of the last week'))
  .addOption(kindOption('compare these kinds instead of RECONCILE_KINDS'))
  .option('--tenant <id>', 'compare only the warehouse of this tenant (tplId)')
  .addHelpText('after', CONFIGURATION_HELP)
  .action(async (options: SweepOptions) => {
    const stop = openStopSignal('Canceling the sweep; what it has ingested is fetched and announced in the background');
    await sweep({
      config: loadConfig(process.env),
      options,
      stop,
      output: openOutput(options),
      taskQueue: TASK_QUEUE,
    });
  });

interface BackfillCommand extends SweepOptions {
  readonly open?: boolean;
  readonly dryRun?: boolean;
}

const HELP = `
One of --since and --open is required. Subjects that Dockline already knows are skipped. If the command ends early, the backfill continues.
Ctrl-C cancels it; the same command then continues with what is still unknown.
${CONFIGURATION_HELP}`;

export const backfill = createCommand(
  'dockline backfill',
  'Imports what the warehouse already has into a running Dockline, without announcing it.',
)
  .addOption(momentOption('since', 'everything that changed since this time or age'))
  .option('--open', 'everything that is open, whenever it changed')
  .addOption(kindOption('kinds').default([mainKind], mainKind))
  .option('--dry-run', 'only count what is unknown')
  .option('--tenant <id>', 'only the warehouse of this tenant (tplId)')
  .addHelpText('after', HELP)
  .action(async ({ open = false, dryRun = false, ...options }: BackfillCommand) => {
    if (open === (options.since !== undefined)) throw new UsageError('say either --since or --open');
    const stop = openStopSignal('Canceling the backfill; what was found so far stays known');
    await sweep({
      config: loadConfig(process.env),
      options,
      backfill: { open, dryRun },
      stop,
      output: openOutput(options),
      taskQueue: TASK_QUEUE,
    });
  });
