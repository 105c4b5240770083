import type { Check, Verdict } from '../app/doctor/check.ts';
import { checkAlerts, checkDestinations } from '../app/doctor/receivers.ts';
import { checkStore } from '../app/doctor/store.ts';
import { checkTemporal } from '../app/doctor/temporal.ts';
import { checkWarehouse, checkWebhook } from '../app/doctor/warehouse.ts';
import { plural } from '../base/text.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { CONFIGURATION_HELP, createCommand } from './command.ts';
import { clean, hang, type Output, openOutput } from './output.ts';

const colors = { ok: 'green', warning: 'yellow', failed: 'red', skipped: 'gray' } as const;

type Screen = Pick<Output, 'paint' | 'columns'>;

export function describeChecks(checks: readonly Check[], screen: Screen): string {
  const sections = [...Map.groupBy(checks, ({ area }) => area)].map(([area, group]) =>
    [screen.paint('bold', area), ...group.map((check) => describeCheck(check, screen))].join('\n'),
  );
  const count = (verdict: Verdict) => checks.filter((check) => check.verdict === verdict).length;
  const counts = `${count('ok')} ok, ${plural(count('warning'), 'warning')}, ${count('failed')} failed, ${count('skipped')} skipped`;
  return [...sections, counts].join('\n\n');
}

const INDENT = 11;
const ADVICE = 13;

function describeCheck({ verdict, name, found, advice }: Check, { paint, columns }: Screen): string {
  const line = `  ${paint(colors[verdict], verdict.padEnd(8))} ${hang(clean(`${name}: ${found}`), columns, INDENT)}`;
  return advice === null ? line : `${line}\n${'→ '.padStart(ADVICE)}${hang(clean(advice), columns, ADVICE)}`;
}

interface DoctorOptions {
  readonly destination: boolean;
  readonly alerts: boolean;
  readonly json?: boolean;
}

export const command = createCommand(
  'dockline doctor',
  'Checks what Dockline needs before it can start. It changes nothing, so it can run beside Dockline. It sends each destination one ' +
    'announcement of the type dockline.test, and each alert channel a test message. Exits with 0 if nothing failed, else with 1.',
)
  .option('--no-destination', 'send no test announcement')
  .option('--no-alerts', 'send no test message to the channels for alerts')
  .addHelpText('after', CONFIGURATION_HELP)
  .action(async (options: DoctorOptions) => {
    const output = openOutput(options);
    output.progress.show('checking');
    const checks = await makeChecks(loadConfig(process.env), options);
    const isWell = checks.every(({ verdict }) => verdict !== 'failed');
    output.say(describeChecks(checks, output));
    if (options.json) output.print(JSON.stringify({ ok: isWell, checks }));
    process.exitCode = isWell ? 0 : 1;
  });

async function makeChecks(config: Config, options: DoctorOptions): Promise<readonly Check[]> {
  const { tenants, notices } = config;
  const advised = notices.map(
    (found) => ({ area: 'settings', name: 'notice', verdict: 'warning', found, advice: null }) as const,
  );
  const made = await Promise.all([
    ...tenants.flatMap((tenant) => [
      checkWarehouse(tenant, config),
      checkWebhook(tenant, config),
      ...(options.destination ? [checkDestinations(tenant, config)] : []),
    ]),
    ...(options.alerts ? [checkAlerts(config)] : []),
    checkTemporal(config),
    checkStore(config),
  ]);
  return [...advised, ...made.flat()];
}
