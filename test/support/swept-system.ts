import { inject } from 'vitest';
import { sweepInputs } from '../../src/app/sweeps.ts';
import { loadConfig } from '../../src/config/config.ts';
import { subjectKey } from '../../src/domain/catalogue/subject.ts';
import { openTemporal } from '../../src/temporal/connection.ts';
import { runSweep } from '../../src/temporal/sweep-client.ts';
import type { Reconciled, ReconcileInput } from '../../workflows/sweep-state.ts';
import { type System, type SystemOptions, startSystem } from './system.ts';

/** System whose first tenant's warehouse is swept. */
export interface SweptSystem extends System {
  readonly tenant: string;
  /** Sweeps the changes of the last hour, as the command does. */
  sweep(changes?: Partial<ReconcileInput>): Promise<Reconciled>;
  /** Returns the stages in the store, by subject. */
  stages(): Promise<Readonly<Record<string, string>>>;
  /** Reports whether everything is processed and announced. */
  isQuiet(): Promise<boolean>;
}

/** Starts a system whose first tenant's warehouse is swept without a grace period, and believed at once. */
export async function startSweptSystem({
  tenants: named = [{}],
  ...options
}: SystemOptions = {}): Promise<SweptSystem> {
  const env = { RECONCILE_GRACE_MS: '0', WAREHOUSE_READ_LAG_MS: '0', ...options.env };
  const system = await startSystem({ ...options, env, tenants: named });
  const { service, tenants } = system;
  const tenant = tenants[0]?.tenant ?? '';
  return {
    ...system,
    tenant,
    sweep: (changes) => sweepOnDemand(tenant, env, changes),
    async stages() {
      const subjects = await service().store.summary.subjects();
      return Object.fromEntries(subjects.map((subject) => [subjectKey(subject), subject.stage]));
    },
    async isQuiet() {
      return service().webhook.isIdle() && (await service().store.summary.announcements()).unsent === 0;
    },
  };
}

async function sweepOnDemand(
  tenant: string,
  env: Readonly<Record<string, string>>,
  changes: Partial<ReconcileInput> = {},
): Promise<Reconciled> {
  const taskQueue = `test-${tenant}`;
  const [input] = sweepInputs(loadConfig(env), taskQueue, [tenant], true);
  const temporal = openTemporal({ address: inject('temporalAddress'), namespace: 'default' });
  try {
    return await runSweep({
      ...{ client: temporal.client, taskQueue, signal: new AbortController().signal, onProgress: () => undefined },
      input: { ...(input as ReconcileInput), since: Date.now() - 3_600_000, ...changes },
    });
  } finally {
    await temporal.close();
  }
}
