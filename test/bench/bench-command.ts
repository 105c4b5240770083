import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { openStopSignal } from '../../src/cli/command.ts';
import { openOutput } from '../../src/cli/output.ts';
import { defaultCacheFolder, findServerBinary } from '../../src/sandbox/temporal-server/server-binary.ts';
import { type BenchCommandOptions, parseBenchOptions, usage } from './bench-options.ts';
import { chart } from './chart.ts';
import { report } from './report.ts';
import type { Results } from './results.ts';
import { runBench } from './run-bench.ts';

/** `npm run bench`: measures and compares. Exits with 0 only if nothing of Dockline's was lost, doubled or out of order. */
const stop = openStopSignal('Stopping');

try {
  const options = parseBenchOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(`${usage}\n`);
  else process.exitCode = await run(options);
} catch (error) {
  // Why it ended is known to who ended it.
  if (!stop.aborted) process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = stop.aborted ? 130 : 1;
}

async function run(options: BenchCommandOptions): Promise<number> {
  const { print, say } = openOutput(options);
  const temporalBinary = await findServerBinary({ cacheFolder: defaultCacheFolder(process.env, homedir()), log: say });
  const postgresServer = process.env.DOCKLINE_TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
  const places = { temporalBinary, postgresServer, path: process.env.PATH ?? '' };
  const results = await runBench({ ...options, ...places, say, signal: stop });
  say(report(results));
  if (options.svg !== undefined) await writeFile(options.svg, chart(results));
  if (options.json) print(JSON.stringify(results));
  return isWell(results) ? 0 : 1;
}

function isWell({ lost, duplicates, outOfOrder }: Results): boolean {
  return lost + duplicates + outOfOrder === 0;
}
