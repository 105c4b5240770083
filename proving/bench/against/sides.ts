import { openSystem, type System } from '../comparison/system.ts';
import type { Environment } from '../fixture.ts';
import type { Verdict } from '../ledger.ts';
import { measureRate, WARM_UP_ORDERS } from '../steady/steady.ts';
import { steps } from '../workload.ts';

/** Installation that both versions are measured in. */
export const installations = (['sqlite', 'postgres'] as const).flatMap((database) =>
  (['inline', 'regular'] as const).map((mode) => ({ database, mode })),
);

export type Installation = (typeof installations)[number];

/** Latency of GETs in milliseconds, by the name of the load. */
const bursts = { 'GETs of 0 ms': 0, 'GETs of 150 ms': 150 } as const;

/** Single events a second for each version. Two cores are then nearly full. */
const PER_SECOND = 25;

const SINGLES = `single events, ${PER_SECOND} a second, both at once` as const;

export type Load = keyof typeof bursts | typeof SINGLES;

/** Figures of one pass; a load has no other than its own. */
export const figures = {
  eventsPerSecond: 'events per second',
  p99Ms: 'p99 of answers, ms',
  latencyP50Ms: 'p50 until announced, ms',
  latencyP99Ms: 'p99 until announced, ms',
  processMs: 'processor time of Dockline per event, ms',
  temporalMs: "processor time of Temporal's server per event, ms",
  memoryMb: 'memory of Dockline, MB',
} as const;

export type Figure = keyof typeof figures;

type Pass = Readonly<Partial<Record<Figure, number>>>;

/** Figures of one load. */
export interface Measurement {
  readonly load: Load;
  readonly pass: Pass;
}

/** Installation to measure in, with the orders that come 16 at a time and the turns of single events. */
export interface Task extends Installation {
  readonly orders: number;
  readonly turns: number;
}

/** Figures of one version in one round. */
export interface Side {
  readonly measured: readonly Measurement[];
  readonly verdict: Verdict;
}

/** Programs that start the versions; undefined for this one. */
type Programs = readonly (URL | undefined)[];

/** Measures versions under bursts of orders, one after the other. */
export async function measureInTurn(
  programs: Programs,
  task: Task,
  environment: Environment,
): Promise<readonly Side[]> {
  const { orders } = task;
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

/** Measures versions under single events, at the same time. */
export async function measureAtOnce(
  programs: Programs,
  task: Task,
  environment: Environment,
): Promise<readonly Side[]> {
  await using opened = new AsyncDisposableStack();
  const systems = await Array.fromAsync(programs, (program) => open(program, task, environment, opened));
  // At once, too: V8 gives back what a system that waits does not use, and takes a while to have it again.
  await Promise.all(systems.map((system) => system.load('16', WARM_UP_ORDERS)));
  return await Promise.all(
    systems.map(async (system) => {
      const pass = await measureSingles(system, task.turns);
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
