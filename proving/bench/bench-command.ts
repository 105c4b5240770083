import { availableParallelism, cpus, totalmem } from 'node:os';
import { findServerBinary } from '../../sandbox/temporal-server/server-binary.ts';
import { openStopSignal, runCommand } from '../../src/cli/command.ts';
import { openOutput } from '../../src/cli/output.ts';
import { findCacheFolder } from '../../src/forms/files.ts';
import { whyNoPostgres } from '../faults/fixture/database.ts';
import { measureAgainst, reportAgainst } from './against/against.ts';
import { measureAllowed } from './allowed/allowed.ts';
import { type BenchOptions, createBenchCommand, type Section } from './bench-options.ts';
import { measureBoard } from './board/board.ts';
import { measureCost } from './cost/cost.ts';
import type { Environment } from './fixture.ts';
import { isFlawless, sumVerdicts, type Verdict } from './ledger.ts';
import { type Results, report } from './report.ts';
import { measureSteady } from './steady/steady.ts';
import { steps } from './workload.ts';

/** `npm run bench`. */
await runCommand(
  createBenchCommand(async (options) => {
    const { print, say } = openOutput(options);
    const stop = openStopSignal('Stopping');
    const finished = await openEnvironment(say, stop)
      .then((environment) => run(options, environment))
      .catch((error: unknown) => (stop.aborted ? undefined : Promise.reject(error)));
    process.exitCode = finished && isFlawless(finished.verdict) ? 0 : stop.aborted ? 130 : 1;
    if (!finished) return;
    say(`\n${finished.report}`);
    if (options.json) print(JSON.stringify(finished.results));
  }),
  { program: 'bench' },
);

async function openEnvironment(log: (line: string) => void, signal: AbortSignal): Promise<Environment> {
  const server = process.env.DOCKLINE_TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
  const temporalBinary = await findServerBinary({ cacheFolder: findCacheFolder(), log });
  const reason = await whyNoPostgres(server);
  if (reason !== undefined) log(`PostgreSQL is left out: ${reason}`);
  const say = (line: string) => {
    // Every section reports its progress, so that a run can end there.
    signal.throwIfAborted();
    log(line);
  };
  const path = process.env.PATH ?? '';
  return { temporalBinary, path, say, signal, ...(reason === undefined && { postgresServer: server }) };
}

async function run(options: BenchOptions, environment: Environment) {
  const { against } = options;
  if (against === undefined) {
    const results = await measure(options, environment);
    return { results, verdict: results, report: report(results) };
  }
  const results = await measureAgainst(against, options.scale, environment);
  return { results, verdict: results.verdict, report: reportAgainst(results) };
}

async function measure(options: BenchOptions, environment: Environment): Promise<Results> {
  const { sections, scale, quick } = options;
  const { orders, rounds, boardSeconds, subjects, allowedOrders, steadyTurns: turns } = scale;
  const when = async <T>(section: Section, run: () => Promise<T>, otherwise: T): Promise<T> =>
    sections.has(section) ? await run() : otherwise;
  const steady = await when('steady', () => measureSteady({ turns, rounds }, environment), []);
  const cost = await when('cost', () => measureCost(orders, environment), []);
  const allowed = await when('allowed', () => measureAllowed({ sizes: allowedOrders, rounds }, environment), []);
  const board = await when('board', () => measureBoard({ subjects, seconds: boardSeconds, rounds }, environment), []);
  return {
    quick,
    machine: describeMachine(),
    workload: { orders, events: orders * steps.length, rounds },
    steady,
    cost,
    allowed,
    board,
    ...sumVerdicts([...own([...steady, ...allowed]), ...cost]),
  };
}

/** Leaves out the rivals, which lose the order by themselves. */
function own(rows: readonly (Verdict & { readonly name: string })[]): readonly Verdict[] {
  return rows.filter(({ name }) => name.startsWith('Dockline'));
}

function describeMachine(): Results['machine'] {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown CPU',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1e8) / 10,
    node: process.version,
  };
}
