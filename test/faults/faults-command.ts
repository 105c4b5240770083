import { randomInt } from 'node:crypto';
import { homedir } from 'node:os';
import { openStopSignal, runCommand } from '../../src/cli/command.ts';
import { formatTable, openOutput } from '../../src/cli/output.ts';
import { defaultCacheFolder, findServerBinary } from '../../src/sandbox/temporal-server/server-binary.ts';
import { clusters } from './cluster/cluster.ts';
import { findClusterPrograms } from './cluster/programs.ts';
import { createFaultsCommand, type FaultsOptions } from './faults-options.ts';
import { whyNoPostgres } from './fixture/database.ts';
import { developmentServers } from './fixture/temporal-process.ts';
import { report, toResult } from './report.ts';
import { type Outcome, runFault } from './run-fault.ts';
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
  const cacheFolder = defaultCacheFolder(process.env, homedir());
  const createTemporal =
    options.temporal === 'cluster'
      ? clusters(await findClusterPrograms(cacheFolder, say))
      : developmentServers(await findServerBinary({ cacheFolder, log: say }));
  const environment = { createTemporal, postgresServer, path: process.env.PATH ?? '', say, signal, seed };
  const noPostgres = await whyNoPostgres(postgresServer);
  say(`The seed of the random moments is ${seed}.`);
  const outcomes: Outcome[] = [];
  for (const run of runs) {
    if (run.database === 'postgres' && noPostgres !== undefined)
      outcomes.push({ ...run, figures: noFigures, skipped: `no PostgreSQL: ${noPostgres}` });
    else outcomes.push(await runFault(run, { ...options, ...environment }));
  }
  say(`\n${report(outcomes)}`);
  const result = toResult(seed, outcomes);
  if (json) print(JSON.stringify(result));
  return result.well ? 0 : 1;
}
