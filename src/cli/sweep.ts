import type { Client } from '@temporalio/client';
import type { Reconciled, ReconcileInput } from '../../workflows/sweep-state.ts';
import { temporalTarget } from '../app/codec.ts';
import { sweepInputs } from '../app/sweep-inputs.ts';
import type { Config } from '../config/config.ts';
import { SIMULATED_TENANT } from '../config/tenants/tenant.ts';
import { isOutage, openTemporal } from '../temporal/connection.ts';
import { runSweep } from '../temporal/sweep-client.ts';
import { TASK_QUEUE } from '../temporal/task-queues.ts';
import type { Output } from './output.ts';
import type { ReconcileOptions } from './reconcile-options.ts';
import { describeOutcome, describeProgress } from './sweep-report.ts';

/** What sweeps on demand run with. */
export interface Sweeping {
  readonly config: Config;
  readonly options: Omit<ReconcileOptions, 'help'>;
  /** Cancels the sweep under way and those that would follow. */
  readonly stop: AbortSignal;
  readonly output: Output;
  readonly taskQueue?: string;
  /** How long nobody may take up the work, in milliseconds. */
  readonly patienceMs?: number;
}

type Outcome = Reconciled | { readonly tenant: string; readonly error: string };

/**
 * Has a running Dockline sweep the warehouse of each tenant that is asked for, one after the other, and shows what came of it.
 * Rejects with a message for the user where any of them failed; the others are swept all the same.
 */
export async function sweep(sweeping: Sweeping): Promise<void> {
  const { config, options, output, stop, taskQueue = TASK_QUEUE } = sweeping;
  const since = options.since ?? Date.now() - config.RECONCILE_LOOKBACK_MS;
  const inputs = sweepInputs(config, taskQueue, tenantsOf(sweeping));
  const address = config.TEMPORAL_ADDRESS ?? `127.0.0.1:${config.TEMPORAL_PORT}`;
  const temporal = openTemporal({ ...temporalTarget(address, config), callTimeoutMs: 5000 });
  const outcomes: Outcome[] = [];
  try {
    for (const input of inputs) {
      if (!stop.aborted)
        outcomes.push(await sweepOne(temporal.client, { ...input, since }, { ...sweeping, taskQueue }));
    }
  } catch (error) {
    if (isOutage(error))
      throw new Error(`Temporal does not answer at ${address}: is Dockline running?`, { cause: error });
    throw error;
  } finally {
    await temporal.close();
  }
  if (options.json) output.print(JSON.stringify({ sweeps: outcomes }));
  const failures = outcomes.filter((outcome) => 'error' in outcome);
  if (failures.length > 0)
    throw new Error(failures.map(({ tenant, error }) => `warehouse ${tenant}: ${error}`).join('\n'));
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
  const named = tenants.flatMap((it) => it.id ?? []);
  const ids = tenants.length === 0 ? [SIMULATED_TENANT] : named;
  if (ids.length === 0) {
    throw new Error('WAREHOUSE_TENANT has to say whose warehouse it is: its tplId');
  }
  if (tenant === undefined) return ids;
  if (ids.includes(tenant)) return [tenant];
  throw new Error(`--tenant ${tenant} is none of those that are configured: ${ids.join(', ')}`);
}
