import type { CheckResult } from '../app/doctor/check.ts';
import { checkConfiguration } from '../app/doctor/configuration.ts';
import { areas, runChecks } from '../app/doctor/run-checks.ts';
import { openSharedPaces } from '../app/doctor/shared-paces.ts';
import type { Config } from '../config/config.ts';
import { createAdminClient, readTarget } from './admin/client.ts';
import { CONFIGURATION_HELP, createCommand, openStopSignal } from './command.ts';
import { describeChecks } from './doctor-report.ts';
import { describeEnvironment } from './environment.ts';
import { openOutput } from './output.ts';
import { UsageError } from './usage-error.ts';

interface DoctorOptions {
  readonly tenant?: string;
  /** False with `--no-destination`. */
  readonly destination: boolean;
  /** False with `--no-alerts`. */
  readonly alerts: boolean;
  readonly json?: boolean;
}

/** `dockline doctor`. */
export const command = createCommand(
  'dockline doctor',
  'Checks everything that Dockline needs, and says what to do where something is wrong. It changes nothing, so it can run ' +
    'beside Dockline. It sends each destination one announcement of the type dockline.test, and each alert channel a test message. Exits with 0 if nothing failed, else with 1.',
)
  .option('--tenant <id>', 'check only the warehouse of this tenant (tplId) and what tenants share')
  .option('--no-destination', 'send no test announcement')
  .option('--no-alerts', 'send no test message to the channels for alerts')
  .addHelpText('after', CONFIGURATION_HELP)
  .action(async (options: DoctorOptions) => {
    process.exitCode = await examine(options);
  });

async function examine(options: DoctorOptions): Promise<number> {
  const output = openOutput(options);
  const startedAt = performance.now();
  output.progress.show('checking');
  const checks = await makeChecks(options, openStopSignal('Stopping'));
  const ms = Math.round(performance.now() - startedAt);
  const isWell = checks.every(({ verdict }) => verdict !== 'failed');
  output.say(describeChecks(checks, ms, output.paint));
  if (options.json) output.print(JSON.stringify({ ok: isWell, ms, checks }));
  return isWell ? 0 : 1;
}

async function makeChecks(options: DoctorOptions, stop: AbortSignal): Promise<readonly CheckResult[]> {
  const settings = { env: process.env, source: describeEnvironment() };
  const { config, results } = await checkConfiguration(settings, stop);
  if (!config) return results;
  const chosen = areas.filter(
    (area) => (options.destination || area !== 'destination') && (options.alerts || area !== 'alerts'),
  );
  const client = createAdminClient(() => readTarget(process.env));
  const readIncidents = async () => (await client.get('/health')).incidents;
  await using opened = new AsyncDisposableStack();
  const { DATABASE_URL: url } = config;
  const paces = url ? opened.adopt(openSharedPaces(url), (it) => it.close()) : undefined;
  const tenants = tenantsOf(config, options);
  const checking = { config, tenants, areas: chosen, stop, readIncidents, paceOf: paces?.paceOf };
  return [...results, ...(await runChecks(checking))];
}

function tenantsOf({ tenants }: Config, { tenant }: DoctorOptions): Config['tenants'] {
  if (tenant === undefined) return tenants;
  const chosen = tenants.filter(({ id }) => id === tenant);
  if (chosen.length > 0) return chosen;
  const known = tenants.flatMap(({ id }) => id ?? []).join(', ');
  throw new UsageError(`--tenant ${tenant} is not configured; configured tenants: ${known || 'none'}`);
}
