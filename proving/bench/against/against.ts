import { formatTable } from '../../../src/base/text-table.ts';
import type { BenchOptions } from '../bench-options.ts';
import { openSystem, type System } from '../comparison/system.ts';
import type { Environment } from '../fixture.ts';
import { sumVerdicts, type Verdict } from '../ledger.ts';
import { format, type Measured, median, summarize } from '../statistics.ts';
import { measureRate, WARM_UP_ORDERS } from '../steady/steady.ts';
import { steps } from '../workload.ts';
import { checkOut } from './checkout.ts';

/** Installation that both versions are measured in. */
const installations = (['sqlite', 'postgres'] as const).flatMap((database) =>
  (['inline', 'regular'] as const).map((mode) => ({ database, mode })),
);

type Installation = (typeof installations)[number];

/** Latency of GETs in milliseconds, by the name of the load. */
const bursts = { 'GETs of 0 ms': 0, 'GETs of 150 ms': 150 } as const;

const SINGLES = 'single events, 25 a second, both at once';

type Load = keyof typeof bursts | typeof SINGLES;

/** Single events a second for each version. Two cores are then nearly full. */
const PER_SECOND = 25;

/** Orders that come 16 at a time, and turns of single events. */
interface Amount {
  readonly orders: number;
  readonly turns: number;
}

/** Figures of one pass; a load has no other than its own. */
const figures = {
  eventsPerSecond: 'events per second',
  p99Ms: 'p99 of answers, ms',
  latencyP50Ms: 'p50 until announced, ms',
  latencyP99Ms: 'p99 until announced, ms',
  processMs: 'processor time of Dockline per event, ms',
  temporalMs: "processor time of Temporal's server per event, ms",
  memoryMb: 'memory of Dockline, MB',
} as const;

type Figure = keyof typeof figures;

type Pass = Readonly<Partial<Record<Figure, number>>>;

/** Figures of one load. */
interface Measurement {
  readonly load: Load;
  readonly pass: Pass;
}

/** Ratio of this version to the other one, in one installation. */
export interface AgainstRow extends Installation {
  readonly load: Load;
  readonly figure: Figure;
  readonly here: number;
  readonly there: number;
  readonly ratio: Measured;
}

/** Results of both versions. */
export interface AgainstResults {
  readonly commit: string;
  readonly rows: readonly AgainstRow[];
  readonly verdict: Verdict;
}

/**
 * Measures this version and a commit, each round on fresh systems: bursts in turn, single events at once. A machine that is slower for a
 * minute slows both then, and the ratio of their processor times differs by a tenth between rounds where in turn it does by a quarter.
 */
export async function measureAgainst(
  commit: string,
  { sections, scale: { orders, rounds, steadyTurns: turns } }: Pick<BenchOptions, 'sections' | 'scale'>,
  environment: Environment,
): Promise<AgainstResults> {
  const methods = [
    ...(sections.has('comparison') ? [measureInTurn] : []),
    ...(sections.has('steady') ? [measureAtOnce] : []),
  ];
  if (methods.length === 0) throw new Error('--against measures comparison and steady only');
  await using opened = new AsyncDisposableStack();
  environment.say(`checking out ${commit}`);
  const other = await checkOut(commit, opened);
  const rows: AgainstRow[] = [];
  const verdicts: Verdict[] = [];
  for (const installation of installations) {
    if (installation.database === 'postgres' && environment.postgresServer === undefined) continue;
    const passes: Round[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      environment.say(`${other.commit} and this version, ${inWords(installation)}, round ${round} of ${rounds}`);
      // Alternates the order, since the first finds another machine than the last.
      const isFirst = round % 2 === 1;
      const programs = isFirst ? [undefined, other.program] : [other.program, undefined];
      const pass: Record<'here' | 'there', Measurement[]> = { here: [], there: [] };
      for (const method of methods) {
        const sides = await method(programs, { ...installation, amount: { orders, turns } }, environment);
        const [here, there] = isFirst ? sides : sides.toReversed();
        pass.here.push(...(here?.measured ?? []));
        pass.there.push(...(there?.measured ?? []));
        if (here) verdicts.push(here.verdict);
      }
      passes.push(pass);
    }
    rows.push(...rowsOf(installation, passes));
  }
  return { commit: other.commit, rows, verdict: sumVerdicts(verdicts) };
}

/** Figures of both versions in one round. */
type Round = Readonly<Record<'here' | 'there', readonly Measurement[]>>;

/** What is measured of each version. */
interface Task extends Installation {
  readonly amount: Amount;
}

/** Figures of one version in one round. */
interface Side {
  readonly measured: readonly Measurement[];
  readonly verdict: Verdict;
}

type Programs = readonly (URL | undefined)[];

async function measureInTurn(programs: Programs, task: Task, environment: Environment): Promise<readonly Side[]> {
  const { orders } = task.amount;
  return await Array.fromAsync(programs, async (program) => {
    await using opened = new AsyncDisposableStack();
    const system = await open(program, task, environment, opened);
    await system.load('16', orders);
    const measured = await Array.fromAsync(Object.entries(bursts), async ([load, getMs]) => ({
      load: load as Load,
      pass: await measureOrders(system, getMs, orders),
    }));
    return { measured, verdict: system.verdict() };
  });
}

async function measureAtOnce(programs: Programs, task: Task, environment: Environment): Promise<readonly Side[]> {
  await using opened = new AsyncDisposableStack();
  const systems = await Array.fromAsync(programs, (program) => open(program, task, environment, opened));
  // At once, too: V8 gives back what a system that waits does not use, and takes a while to have it again.
  await Promise.all(systems.map((system) => system.load('16', WARM_UP_ORDERS)));
  return await Promise.all(
    systems.map(async (system) => {
      const pass = await measureSingles(system, task.amount.turns);
      return { measured: [{ load: SINGLES, pass }], verdict: system.verdict() };
    }),
  );
}

const open = (
  program: URL | undefined,
  { database, mode }: Installation,
  environment: Environment,
  opened: AsyncDisposableStack,
): Promise<System> => openSystem({ program, database, env: { TEMPORAL_ACTIVITIES: mode } }, environment, opened);

async function measureSingles(system: System, turns: number): Promise<Pass> {
  system.slowDown({ getMs: 0, destinationMs: 0 });
  const { p50Ms, p99Ms, processMs, temporalMs, answerP99Ms, memoryMb } = await measureRate(system, PER_SECOND, turns);
  return { p99Ms: answerP99Ms, latencyP50Ms: p50Ms, latencyP99Ms: p99Ms, processMs, temporalMs, memoryMb };
}

async function measureOrders(system: System, getMs: number, orders: number): Promise<Pass> {
  system.slowDown({ getMs, destinationMs: 0 });
  const before = await system.processorTimes();
  const { eventsPerSecond, p99Ms } = await system.load('16', orders);
  const after = await system.processorTimes();
  const perEvent = (part: keyof typeof before) => (after[part] - before[part]) / (orders * steps.length);
  return { eventsPerSecond, p99Ms, processMs: perEvent('contender'), temporalMs: perEvent('temporal') };
}

function rowsOf(installation: Installation, passes: readonly Round[]): AgainstRow[] {
  const [first] = passes;
  return (first?.here ?? []).flatMap(({ load, pass }, index) =>
    (Object.keys(figures) as Figure[]).flatMap((figure) => {
      if (pass[figure] === undefined) return [];
      const of = (side: 'here' | 'there') => passes.map((round) => round[side][index]?.pass[figure] ?? Number.NaN);
      const [here, there] = [of('here'), of('there')];
      const ratio = summarize(here.map((value, round) => value / (there[round] ?? Number.NaN)));
      return [{ ...installation, load, figure, here: median(here), there: median(there), ratio }];
    }),
  );
}

const inWords = ({ database, mode }: Installation): string =>
  `${database === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, ${mode}`;

/** Formats the ratios with their spread. */
export const reportAgainst = ({ commit, rows }: AgainstResults): string =>
  formatTable([
    [`this version and ${commit}`, '', '', 'here', commit, 'ratio', 'min–max'],
    ...rows.map(({ load, figure, here, there, ratio, ...installation }) => [
      inWords(installation),
      load,
      figures[figure],
      format(here),
      format(there),
      format(ratio.median),
      `${format(ratio.min)}–${format(ratio.max)}`,
    ]),
  ]);
