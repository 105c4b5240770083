import type { CheckResult } from '../app/doctor/check.ts';
import { checkConfiguration } from '../app/doctor/configuration.ts';
import { areas, runChecks } from '../app/doctor/run-checks.ts';
import { plural } from '../base/text.ts';
import { chooseTenants, createAdminClient, readTarget } from './admin/client.ts';
import { CONFIGURATION_HELP, createCommand, describeEnvironment, openStopSignal } from './command.ts';
import { clean, hang, type Output, openOutput } from './output.ts';

const colors = { ok: 'green', warning: 'yellow', failed: 'red', skipped: 'gray' } as const;

type Screen = Pick<Output, 'paint' | 'columns'>;

export function describeChecks(checks: readonly CheckResult[], ms: number, screen: Screen): string {
  const groups = Map.groupBy(checks, headingOf);
  const sections = [...groups].map(([heading, group]) =>
    [screen.paint('bold', heading), ...group.map((check) => describeCheck(check, screen))].join('\n'),
  );
  return [...sections, summarize(checks, ms)].join('\n\n');
}

const headingOf = ({ area, tenant }: CheckResult): string => (tenant === null ? area : `${area} of ${tenant}`);

const INDENT = 11;
const ADVICE = 13;

function describeCheck({ verdict, name, tried, found, ms, advice }: CheckResult, { paint, columns }: Screen): string {
  const took = verdict === 'skipped' ? '' : ` · ${ms} ms`;
  const said = hang(clean(`${name}: ${found} · ${tried}${took}`), columns, INDENT);
  const line = `  ${paint(colors[verdict], verdict.padEnd(8))} ${said}`;
  return advice === null ? line : `${line}\n${'→ '.padStart(ADVICE)}${hang(clean(advice), columns, ADVICE)}`;
}

function summarize(checks: readonly CheckResult[], ms: number): string {
  const count = (verdict: CheckResult['verdict']) => checks.filter((check) => check.verdict === verdict).length;
  const counts = `${count('ok')} ok, ${plural(count('warning'), 'warning')}, ${count('failed')} failed, ${count('skipped')} skipped`;
  return `${counts} in ${(ms / 1000).toFixed(1)} s`;
}

interface DoctorOptions {
  readonly tenant?: string;
  readonly destination: boolean;
  readonly alerts: boolean;
  readonly json?: boolean;
}

export const command = createCommand(
  'dockline doctor',
  'Checks everything that Dockline needs, and says what to do where something is wrong. It changes nothing, so it can run ' +
    'beside Dockline. It sends each destination one announcement of the type dockline.test, and each alert channel a test message. Exits with 0 if nothing failed, else with 1.',
)
  .option('--tenant <id>', 'check only the warehouse of this tenant (tplId) and what tenants share')
  .option('--no-destination', 'send no test announcement')
  .option('--no-alerts', 'send no test message to the channels for alerts')
  .addHelpText('after', CONFIGURATION_HELP)
  .action(examine);

async function examine(options: DoctorOptions): Promise<void> {
  const output = openOutput(options);
  const startedAt = performance.now();
  output.progress.show('checking');
  const checks = await makeChecks(options, openStopSignal('Stopping'));
  const ms = Math.round(performance.now() - startedAt);
  const isWell = checks.every(({ verdict }) => verdict !== 'failed');
  output.say(describeChecks(checks, ms, output));
  if (options.json) output.print(JSON.stringify({ ok: isWell, ms, checks }));
  process.exitCode = isWell ? 0 : 1;
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
  const tenants = chooseTenants(config.tenants, options.tenant);
  return [...results, ...(await runChecks({ config, tenants, areas: chosen, stop, readIncidents }))];
}
