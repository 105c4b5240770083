import { setTimeout as pause } from 'node:timers/promises';
import type { ContenderOptions, Environment } from '../fixture.ts';
import { sumVerdicts, type Verdict } from '../ledger.ts';
import { whyNoRedis } from '../rivals/redis.ts';
import { least, openQueue } from '../rivals/rivals.ts';
import { type Measured, quantile, summarize } from '../statistics.ts';
import { openSystem, type System } from '../system.ts';

/** Events in a second, in the order of measurement. */
const RATES = [5, 30, 60, 120] as const;

/** Integration under test, by the name of its row. */
const contenders = {
  'Dockline on SQLite, inline': () => ({ env: { TEMPORAL_ACTIVITIES: 'inline' } }),
  'Dockline on PostgreSQL, regular': () => ({ database: 'postgres', env: { TEMPORAL_ACTIVITIES: 'regular' } }),
  'least workflow on Temporal': () => ({ ...least, isPatient: false }),
  'queue (BullMQ)': async (opened: AsyncDisposableStack) => ({ ...(await openQueue(opened)), isPatient: false }),
} as const satisfies Record<string, (opened: AsyncDisposableStack) => ContenderOptions | Promise<ContenderOptions>>;

type Name = keyof typeof contenders;

/** Figures of one contender at one rate, each once a round, with the verdict on all rounds. */
export interface SteadyRow extends Verdict {
  readonly name: Name;
  readonly perSecond: number;
  /** Milliseconds from a webhook to its announcement. */
  readonly p50Ms: Measured;
  readonly p99Ms: Measured;
  /** Milliseconds to the answer of a webhook. */
  readonly answerP99Ms: Measured;
  /** Announcements per second; less than the rate where it is too high. */
  readonly reached: Measured;
  /** Processor time of the contender and of Temporal's server, in milliseconds per event. */
  readonly processMs: Measured;
  readonly temporalMs: Measured;
  /** Memory of the contender after the events, in megabytes. */
  readonly memoryMb: Measured;
  /** Percent of a core that Dockline takes before the first rate, while nothing happens; null at the other rates. */
  readonly idle: Measured | null;
}

interface SteadyOptions {
  readonly turns: number;
  readonly rounds: number;
}

/** Time after which the collector has done what a load leaves, and time for which nothing happens then, in milliseconds. */
const CALM_MS = 60_000;
const IDLE_MS = 15_000;

/** Orders that warm a system up: with fewer, most of what an event runs is not compiled yet, and costs twice as much. */
export const WARM_UP_ORDERS = 1000;

/** Measures events of which each comes alone, as those of an order do, at rising rates, each contender once a round. */
export async function measureSteady(
  { turns, rounds }: SteadyOptions,
  environment: Environment,
): Promise<readonly SteadyRow[]> {
  const missing: Partial<Record<Name, string | undefined>> = {
    'Dockline on PostgreSQL, regular':
      environment.postgresServer === undefined ? 'PostgreSQL is not reached' : undefined,
    'queue (BullMQ)': await whyNoRedis(environment.path),
  };
  const names = (Object.keys(contenders) as Name[]).filter((name) => {
    if (missing[name]) environment.say(`${name} is left out: ${missing[name]}`);
    return !missing[name];
  });
  const measured: Once[] = [];
  for (let round = 1; round <= rounds; round += 1)
    for (const name of names) {
      environment.say(`single events, round ${round} of ${rounds}: ${name}`);
      measured.push(...(await measureOnce(name, turns, environment)));
    }
  const rows = Map.groupBy(measured, ({ name, perSecond }) => `${name} ${perSecond}`);
  return [...rows.values()].map(summarizeRounds);
}

/** Figures of one round. */
type Once = Awaited<ReturnType<typeof measureRate>> & {
  readonly name: Name;
  readonly perSecond: number;
  readonly idle: number | null;
};

async function measureOnce(name: Name, turns: number, environment: Environment): Promise<readonly Once[]> {
  await using opened = new AsyncDisposableStack();
  const system = await openSystem(await contenders[name](opened), environment, opened);
  await system.load('16', WARM_UP_ORDERS);
  const idle = name.startsWith('Dockline') ? await measureIdle(system, environment.signal) : null;
  const measured: Once[] = [];
  for (const perSecond of RATES) {
    const figures = await measureRate(system, perSecond, turns);
    environment.say(
      `  ${perSecond} a second: p50 ${Math.round(figures.p50Ms)} ms, p99 ${Math.round(figures.p99Ms)} ms`,
    );
    measured.push({ name, perSecond, idle: perSecond === RATES[0] ? idle : null, ...figures });
  }
  return measured;
}

/** Measures what a system takes while nothing happens, in percent of a core. */
async function measureIdle({ processorTimes }: System, signal: AbortSignal): Promise<number> {
  await pause(CALM_MS, undefined, { signal });
  const before = await processorTimes();
  await pause(IDLE_MS, undefined, { signal });
  return (((await processorTimes()).contender - before.contender) / IDLE_MS) * 100;
}

/** Measures a system at a rate. */
export async function measureRate(system: System, perSecond: number, turns: number) {
  const verdictBefore = system.verdict();
  const before = await system.processorTimes();
  const { latencies, answers, reached } = await system.steady(perSecond, turns);
  const after = await system.processorTimes();
  const verdict = system.verdict();
  const events = latencies.length;
  return {
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    answerP99Ms: quantile(answers, 0.99),
    reached,
    processMs: (after.contender - before.contender) / events,
    temporalMs: (after.temporal - before.temporal) / events,
    memoryMb: await system.memoryMb(),
    lost: verdict.lost - verdictBefore.lost,
    duplicates: verdict.duplicates - verdictBefore.duplicates,
    outOfOrder: verdict.outOfOrder - verdictBefore.outOfOrder,
  };
}

function summarizeRounds(rounds: readonly Once[]): SteadyRow {
  const [{ name, perSecond, idle }] = rounds as [Once];
  const of = (figure: keyof Once) => summarize(rounds.map((it) => Number(it[figure])));
  return {
    name,
    perSecond,
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    answerP99Ms: of('answerP99Ms'),
    reached: of('reached'),
    processMs: of('processMs'),
    temporalMs: of('temporalMs'),
    memoryMb: of('memoryMb'),
    idle: idle === null ? null : of('idle'),
    ...sumVerdicts(rounds),
  };
}
