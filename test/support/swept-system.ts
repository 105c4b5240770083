import { inject } from 'vitest';
import { createSummary } from '../../sandbox/demonstration/stored.ts';
import { sweepInputs } from '../../src/app/sweeps.ts';
import { loadConfig } from '../../src/config/config.ts';
import { subjectKey } from '../../src/domain/catalogue/subject.ts';
import { openTemporal } from '../../src/temporal/connection.ts';
import { runSweep } from '../../src/temporal/sweep-client.ts';
import type { Reconciled, ReconcileInput } from '../../workflows/sweep-state.ts';
import { longLimits } from '../limits.ts';
import { type System, type SystemOptions, type SystemTenant, startSystem } from './system.ts';

/** System one of whose tenants is swept. Members of a tenant are those of that one. */
export interface SweptSystem extends System {
  readonly tenant: string;
  /** Sweeps the changes of the last hour, as the command does. */
  sweep(changes?: Partial<ReconcileInput>): Promise<Reconciled>;
  /** Returns the stages of the tenant's subjects in the store, by subject. */
  stages(): Promise<Readonly<Record<string, string>>>;
  /** Reports whether everything is processed and announced. */
  isQuiet(): Promise<boolean>;
}

/** Variables of a system that believes what it sees at once. */
const prompt = { WAREHOUSE_READ_LAG_MS: '0' };

/** Starts a system whose first tenant is swept. */
export async function startSweptSystem({ tenants = [{}], ...options }: SystemOptions = {}): Promise<SweptSystem> {
  const env = { ...prompt, ...options.env };
  const system = await startSystem({ ...options, env, tenants });
  const { service, simulator } = system;
  const { simulated, ...own } = system.tenants[0] as SystemTenant;
  return {
    ...system,
    ...own,
    receiver: system.receiver,
    simulator: { ...simulator, ...simulated },
    sweep: (changes) => sweepOnDemand(own.tenant, `test-${own.tenant}`, env, changes),
    async stages() {
      const subjects = (await createSummary(service().store).subjects()).filter(({ tenant }) => tenant === own.tenant);
      return Object.fromEntries(subjects.map((subject) => [subjectKey(subject), subject.stage]));
    },
    async isQuiet() {
      return service().webhook.isIdle() && (await createSummary(service().store).announcements()).unsent === 0;
    },
  };
}

async function sweepOnDemand(
  tenant: string,
  taskQueue: string,
  env: Readonly<Record<string, string>>,
  changes: Partial<ReconcileInput> = {},
): Promise<Reconciled> {
  const [input] = sweepInputs(loadConfig(env), taskQueue, [{ id: tenant }]);
  const temporal = openTemporal({ address: inject('temporalAddress'), namespace: 'default' });
  try {
    return await runSweep({
      client: temporal.client,
      taskQueue,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      patienceMs: longLimits.testTimeout,
      input: { ...(input as ReconcileInput), quietMs: 0, since: Date.now() - 3_600_000, ...changes },
    });
  } finally {
    await temporal.close();
  }
}
