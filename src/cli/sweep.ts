import type { Client } from '@temporalio/client';
import type { Reconciled, ReconcileInput } from '../../workflows/sweep-state.ts';
import { sweepInputs } from '../app/sweeps.ts';
import { temporalTarget } from '../app/temporal-target.ts';
import type { Config } from '../config/config.ts';
import { SIMULATED_TENANT } from '../config/tenants/tenant.ts';
import { isOutage, openTemporal } from '../temporal/connection.ts';
import { runSweep } from '../temporal/sweep-client.ts';
import { TASK_QUEUE } from '../temporal/task-queues.ts';
import type { Output } from './output.ts';
import { describeOutcome, describeProgress } from './sweep-report.ts';

/** Options of `npm run reconcile`. */
export interface SweepOptions {
  /** Milliseconds since the epoch; by default as long ago as `RECONCILE_LOOKBACK_MS`. */
  readonly since?: number;
  /** Only this tenant instead of all. */
  readonly tenant?: string;
  readonly json?: boolean;
}

/** Parameters of `sweep`. */
export interface Sweeping {
  readonly config: Config;
  readonly options: SweepOptions;
  /** Cancels the current sweep and skips the others. */
  readonly stop: AbortSignal;
  readonly output: Output;
  readonly taskQueue?: string;
}

type Outcome = Reconciled | { readonly tenant: string; readonly error: string };

/**
 * Has a running Dockline sweep the warehouse of each selected tenant, one after the other, and prints the results. A failure does
 * not keep the other tenants from being swept. Rejects with a message for the user if any sweep failed.
 */
export async function sweep(sweeping: Sweeping): Promise<void> {
  const { config, options, output, taskQueue = TASK_QUEUE } = sweeping;
  const inputs = sweepInputs(config, taskQueue, tenantsOf(sweeping));
  const target = temporalTarget(config);
  await using opened = new AsyncDisposableStack();
  const { client } = opened.adopt(openTemporal({ ...target, callTimeoutMs: 5000 }), (it) => it.close());
  const outcomes = await sweepAll(client, inputs, { ...sweeping, taskQueue }).catch((error: unknown) => {
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
  sweeping: Sweeping & { readonly taskQueue: string },
): Promise<readonly Outcome[]> {
  const { config, options, stop } = sweeping;
  const since = options.since ?? Date.now() - config.RECONCILE_LOOKBACK_MS;
  const outcomes: Outcome[] = [];
  for (const input of inputs) {
    if (!stop.aborted) outcomes.push(await sweepOne(client, { ...input, since }, sweeping));
  }
  return outcomes;
}

async function sweepOne(
  client: Client,
  input: ReconcileInput,
  { output, stop, ...sweeping }: Sweeping & { readonly taskQueue: string },
): Promise<Outcome> {
  const onProgress = (...progress: Parameters<typeof describeProgress>) =>
    output.progress.show(describeProgress(...progress));
  try {
    const reconciled = await runSweep({ ...sweeping, client, input, onProgress, signal: stop });
    output.say(describeOutcome(reconciled));
    return reconciled;
  } catch (error) {
    output.progress.end();
    if (isOutage(error)) throw error;
    return { tenant: input.tenant, error: (error as Error).message };
  }
}

function tenantsOf({ config: { tenants }, options: { tenant } }: Sweeping): readonly string[] {
  const ids = tenants.length === 0 ? [SIMULATED_TENANT] : tenants.flatMap(({ id }) => id ?? []);
  if (ids.length === 0) throw new Error('WAREHOUSE_TENANT must be set to the tplId of the warehouse');
  if (tenant === undefined) return ids;
  if (ids.includes(tenant)) return [tenant];
  throw new Error(`--tenant ${tenant} is not configured; configured tenants: ${ids.join(', ')}`);
}
