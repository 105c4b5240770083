import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';
import { startReceiver } from '../../../sandbox/receiver/receiver.ts';
import type { SimulatorOptions } from '../../../sandbox/simulator/simulator.ts';
import type { CheckResult } from '../../../src/app/doctor/check.ts';
import type { ReadIncidents } from '../../../src/app/doctor/incidents.ts';
import { type Area, runChecks } from '../../../src/app/doctor/run-checks.ts';
import { type Config, loadConfig } from '../../../src/config/config.ts';
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
  return {
    simulator,
    receiver,
    right,
    config: loadConfig(right),
    examine: (areas: readonly Area[], variables: Readonly<Record<string, string>> = {}, timeoutMs?: number) =>
      examine(loadConfig({ ...right, ...variables }), areas, timeoutMs),
  };
}

/** Makes the checks of these areas. */
export function examine(
  config: Config,
  areas: readonly Area[],
  timeoutMs?: number,
  readIncidents: ReadIncidents = async () => [],
): Promise<readonly CheckResult[]> {
  const stop = new AbortController().signal;
  return runChecks({
    config,
    tenants: config.tenants,
    areas,
    stop,
    readIncidents,
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
}

/** Returns the verdicts by the names of the checks. */
export const verdictsOf = (checks: readonly CheckResult[]) =>
  Object.fromEntries(checks.map(({ name, verdict }) => [name, verdict]));

/** Finds the check of that name. */
export const find = (checks: readonly CheckResult[], name: string) => checks.find((check) => check.name === name);

/** Starts a server that accepts connections and never answers; returns its port. */
export async function openBlackHole(): Promise<number> {
  return await listen(createServer());
}
