import { randomInt } from 'node:crypto';
import { formatTable } from '../../src/base/text.ts';
import { openStopSignal, runCommand } from '../../src/cli/command.ts';
import { openOutput } from '../../src/cli/output.ts';
import { whyNoNginx } from '../../test/support/shipped-nginx.ts';
import { createFaultsCommand, type FaultsOptions } from './faults-options.ts';
import { findTemporal } from './fixture/temporal-kinds.ts';
import { report, toResult } from './report.ts';
import { type AlertsOutcome, reportAlerts, runAlerts } from './run-alerts.ts';
import { type FaultRun, type FaultRunOptions, type Outcome, runFault } from './run-fault.ts';

/** `npm run faults`. */
await runCommand(
  createFaultsCommand(async (options) => {
    if (options.list) process.stdout.write(`${list(options)}\n`);
    else process.exitCode = await runAll(options);
  }),
  { program: 'faults' },
);

function list({ runs }: FaultsOptions): string {
  const rows = runs.map(({ fault, database }) => [fault.name, database, fault.description]);
  return formatTable([['fault', 'database', 'description'], ...rows]);
}

async function runAll(options: FaultsOptions): Promise<number> {
  const { print, say } = openOutput(options);
  const { runs, seed = randomInt(1, 1_000_000), json } = options;
  const signal = openStopSignal('Stopping');
  const createTemporal = await findTemporal(options.temporal, say);
  const environment = { createTemporal, path: process.env.PATH ?? '', say, signal, seed };
  const noNginx = await whyNoNginx();
  if (noNginx) say(`Webhooks are sent to Dockline directly: ${noNginx}`);
  say(`The seed of the random moments is ${seed}.`);
  const run = options.alerts ? runAllAlerts : runAllFaults;
  const { text, result } = await run(runs, { ...options, ...environment });
  say(`\n${text}`);
  if (json) print(JSON.stringify(result));
  return result.well ? 0 : 1;
}

async function runAllFaults(runs: readonly FaultRun[], options: FaultRunOptions) {
  const outcomes: Outcome[] = [];
  for (const run of runs) outcomes.push(await runFault(run, options));
  return { text: report(outcomes), result: toResult(options.seed, outcomes) };
}

async function runAllAlerts(runs: readonly FaultRun[], options: FaultRunOptions) {
  const outcomes: AlertsOutcome[] = [];
  for (const run of runs.filter(({ fault }) => fault.told)) outcomes.push(await runAlerts(run, options));
  const well = outcomes.length > 0 && outcomes.every(({ problem }) => problem === undefined);
  return { text: reportAlerts(outcomes), result: { well, alerts: outcomes } };
}
