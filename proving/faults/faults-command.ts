import { randomInt } from 'node:crypto';
import { formatTable } from '../../src/base/text-table.ts';
import { openStopSignal, runCommand } from '../../src/cli/command.ts';
import { openOutput } from '../../src/cli/output.ts';
import { whyNoNginx } from '../../test/support/shipped-nginx.ts';
import { reportAlerts, toAlertsResult } from './alerts/report.ts';
import { type AlertsOutcome, runAlerts } from './alerts/run-alerts.ts';
import { createFaultsCommand, type FaultsOptions } from './faults-options.ts';
import { whyNoPostgres } from './fixture/database.ts';
import { findTemporal } from './fixture/temporal-kinds.ts';
import { report, toResult } from './report.ts';
import { type FaultRun, type FaultRunOptions, type Outcome, runFault } from './run-fault.ts';
import { noFigures } from './verification.ts';

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
  const postgresServer = process.env.DOCKLINE_TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
  const createTemporal = await findTemporal(options.temporal, say);
  const environment = { createTemporal, postgresServer, path: process.env.PATH ?? '', say, signal, seed };
  const noNginx = await whyNoNginx();
  if (noNginx) say(`Webhooks are sent to Dockline directly: ${noNginx}`);
  const noPostgres = await whyNoPostgres(postgresServer);
  say(`The seed of the random moments is ${seed}.`);
  const lacks = ({ database }: FaultRun) =>
    database === 'postgres' && noPostgres !== undefined ? `no PostgreSQL: ${noPostgres}` : undefined;
  const run = options.alerts ? runAllAlerts : runAllFaults;
  const { text, result } = await run(runs, { ...options, ...environment }, lacks);
  say(`\n${text}`);
  if (json) print(JSON.stringify(result));
  return result.well ? 0 : 1;
}

/** Returns the reason why a fault cannot be run; undefined if it can. */
type Lacks = (run: FaultRun) => string | undefined;

async function runAllFaults(runs: readonly FaultRun[], options: FaultRunOptions, lacks: Lacks) {
  const outcomes: Outcome[] = [];
  for (const run of runs) {
    const skipped = lacks(run);
    outcomes.push(skipped === undefined ? await runFault(run, options) : { ...run, figures: noFigures, skipped });
  }
  return { text: report(outcomes), result: toResult(options.seed, outcomes) };
}

async function runAllAlerts(runs: readonly FaultRun[], options: FaultRunOptions, lacks: Lacks) {
  const outcomes: AlertsOutcome[] = [];
  for (const run of runs.filter(({ fault }) => fault.alerts ?? fault.told)) {
    const problem = lacks(run);
    outcomes.push(problem === undefined ? await runAlerts(run, options) : { seen: [], problem });
  }
  const result = toAlertsResult(outcomes);
  return { text: reportAlerts(result), result };
}
