import { openSystem } from '../comparison/system.ts';
import type { ContenderOptions, Environment } from '../fixture.ts';
import { type Measured, medianRatio, summarize } from '../statistics.ts';
import { steps } from '../workload.ts';
import { startRedis, whyNoRedis } from './redis.ts';

/** Allowance of a real warehouse: GETs in a second, and the duration of each. */
const PER_SECOND = 5;
const GET_MS = 150;

/** Integration under test, by the name of its row. */
const contenders = {
  Dockline: () => ({}),
  textbook: () => ({ program: new URL('../comparison/textbook.ts', import.meta.url) }),
  'queue (BullMQ)': async (opened: AsyncDisposableStack) => ({
    program: new URL('queue.ts', import.meta.url),
    env: { REDIS_PORT: String(await startRedis(opened)) },
  }),
} as const satisfies Record<string, (opened: AsyncDisposableStack) => ContenderOptions | Promise<ContenderOptions>>;

type Name = keyof typeof contenders;

/** Figures of one contender in one burst of orders. */
export interface AllowedRow {
  readonly name: Name;
  /** Seconds until everything is announced. */
  readonly seconds: Measured;
  /** Median ratio of the seconds to Dockline's. */
  readonly toDockline: number | null;
  readonly getsPerEvent: Measured;
  /** Announcements out of order in all rounds. */
  readonly outOfOrder: number;
  /** Announcements that had not come after half a minute without any, in all rounds. */
  readonly lost: number;
}

interface Figures {
  readonly seconds: number;
  readonly getsPerEvent: number;
  readonly outOfOrder: number;
  readonly lost: number;
}

/** Measures a burst of orders where the warehouse allows five GETs in a second. */
export async function measureAllowed(
  { orders, rounds }: { readonly orders: number; readonly rounds: number },
  environment: Environment,
): Promise<readonly AllowedRow[]> {
  const noRedis = await whyNoRedis(environment.path);
  if (noRedis) environment.say(`The queue is left out: ${noRedis}`);
  const names = (Object.keys(contenders) as Name[]).filter((name) => !noRedis || name !== 'queue (BullMQ)');
  const figures = new Map<Name, Figures[]>(names.map((name) => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of names) {
      environment.say(`${orders} orders at ${PER_SECOND} GETs a second, round ${round} of ${rounds}: ${name}`);
      figures.get(name)?.push(await measureOnce(name, orders, environment));
    }
  }
  const secondsOf = (name: Name) => (figures.get(name) ?? []).map(({ seconds }) => seconds);
  return names.map((name) => {
    const own = figures.get(name) ?? [];
    const sum = (figure: 'lost' | 'outOfOrder') => own.reduce((total, it) => total + it[figure], 0);
    return {
      name,
      seconds: summarize(secondsOf(name)),
      toDockline: medianRatio(secondsOf(name), secondsOf('Dockline')),
      getsPerEvent: summarize(own.map(({ getsPerEvent }) => getsPerEvent)),
      outOfOrder: sum('outOfOrder'),
      lost: sum('lost'),
    };
  });
}

async function measureOnce(name: Name, orders: number, environment: Environment): Promise<Figures> {
  await using opened = new AsyncDisposableStack();
  const contender: ContenderOptions = await contenders[name](opened);
  const env = { ...contender.env, WAREHOUSE_CALLS_PER_SECOND: String(PER_SECOND) };
  const system = await openSystem({ ...contender, env }, environment, opened);
  system.fixture.warehouse.allow(PER_SECOND);
  system.slowDown({ getMs: GET_MS, destinationMs: 0 });
  const { eventsPerSecond, callsPerEvent } = await system.load('burst', orders);
  const { outOfOrder, lost } = system.verdict();
  const seconds = (orders * steps.length) / eventsPerSecond;
  environment.say(`  ${Math.round(seconds)} s, ${callsPerEvent.toFixed(2)} GETs per event`);
  return { seconds, getsPerEvent: callsPerEvent, outOfOrder, lost };
}
