import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';
import { startReceiver } from '../../../sandbox/receiver/receiver.ts';
import type { SimulatorOptions } from '../../../sandbox/simulator/simulator.ts';
import type { Check } from '../../../src/app/doctor/check.ts';
import { type Config, loadConfig } from '../../../src/config/config.ts';
import type { TenantSettings } from '../../../src/config/tenants/tenant.ts';
import { secret } from '../../destinations/announcements/announcements.ts';
import { openSimulator } from '../../sandbox/simulator/open.ts';
import { temporaryFile } from '../../store/temporary-store.ts';
import { listen } from '../../support/listen.ts';
import { variablesOf } from '../../support/warehouse-variables.ts';

/** Opens a simulated warehouse and a receiver, and checks of them with the given variables instead of the right ones. */
export async function openExamined(options: Partial<SimulatorOptions> = {}) {
  const simulator = await openSimulator(options);
  const receiver = await startReceiver({ port: 0, secret });
  onTestFinished(() => receiver.close());
  const right = {
    ...variablesOf(simulator),
    WAREHOUSE_CALLS_PER_SECOND: '200',
    ANNOUNCE_URL: receiver.url,
    ANNOUNCE_SECRET: secret,
    DATA_FOLDER: temporaryFile(),
  };
  const examine = async <Options>(
    check: (tenant: TenantSettings, config: Config, options?: Options) => Promise<readonly Check[]>,
    variables: Readonly<Record<string, string>> = {},
    given?: Options,
  ) => {
    const config = loadConfig({ ...right, ...variables });
    return await check(config.tenants[0] as TenantSettings, config, given);
  };
  return { simulator, receiver, right, examine };
}

/** Returns the verdicts by the names of the checks. */
export const verdictsOf = (checks: readonly Check[]) =>
  Object.fromEntries(checks.map(({ name, verdict }) => [name, verdict]));

/** Finds the check of that name. */
export const find = (checks: readonly Check[], name: string) => checks.find((check) => check.name === name);

/** Starts a server that accepts connections and never answers; returns its port. */
export async function openBlackHole(): Promise<number> {
  return await listen(createServer());
}
