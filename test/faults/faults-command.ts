import { randomInt } from 'node:crypto';
import { homedir } from 'node:os';
import { openStopSignal } from '../../src/cli/command.ts';
import { formatTable, openOutput } from '../../src/cli/output.ts';
import { defaultCacheFolder, findServerBinary } from '../../src/sandbox/temporal-server/server-binary.ts';
import { whyNoPostgres } from './database.ts';
import { type FaultsOptions, parseFaultsOptions, usage } from './faults-options.ts';
import { noFigures } from './reckoning.ts';
import { report, toResult } from './report.ts';
import { type Outcome, runFault } from './run-fault.ts';

/** `npm run faults`: lets things go wrong under load and tells what came of it. Exits with 0 only if nothing was harmed. */
const stop = openStopSignal('Stopping');

try {
  const options = parseFaultsOptions(process.argv.slice(2), () => randomInt(1, 1_000_000));
  if (options.help) process.stdout.write(`${usage}\n`);
  else if (options.list) process.stdout.write(`${list(options)}\n`);
  else process.exitCode = await runAll(options);
} catch (error) {
  process.stderr.write(`faults: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

function list({ runs }: FaultsOptions): string {
  return formatTable([
    ['fault', 'database', 'what happens'],
    ...runs.map(({ fault, database }) => [fault.name, database, fault.says]),
  ]);
}

async function runAll(options: FaultsOptions): Promise<number> {
  const { print, say } = openOutput(options);
  const { runs, seed, json } = options;
  const postgresServer = process.env.DOCKLINE_TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
  const temporalBinary = await findServerBinary({ cacheFolder: defaultCacheFolder(process.env, homedir()), log: say });
  const noPostgres = await whyNoPostgres(postgresServer);
  say(`The seed of the random moments is ${seed}.`);
  const outcomes: Outcome[] = [];
  for (const run of runs) {
    if (run.database === 'postgres' && noPostgres !== undefined) {
      outcomes.push({ ...run, figures: noFigures, skipped: `no PostgreSQL: ${noPostgres}` });
      continue;
    }
    const places = { temporalBinary, postgresServer, path: process.env.PATH ?? '' };
    outcomes.push(await runFault(run, { ...options, ...places, say, signal: stop }));
  }
  say(`\n${report(outcomes)}`);
  const result = toResult(seed, outcomes);
  if (json) print(JSON.stringify(result));
  return result.well ? 0 : 1;
}
