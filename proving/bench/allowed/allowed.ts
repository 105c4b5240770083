import { setTimeout as pause } from 'node:timers/promises';
import type { ContenderOptions, Environment } from '../fixture.ts';
import { sumVerdicts, type Verdict } from '../ledger.ts';
import { whyNoRedis } from '../rivals/redis.ts';
import { least, openQueue } from '../rivals/rivals.ts';
import { type Measured, summarize } from '../statistics.ts';
import type { StubWarehouse } from '../stubs.ts';
import { openSystem } from '../system.ts';
import { CUSTOMERS, ORDERS_PER_JOB, steps, USERS } from '../workload.ts';

/** Allowance of a real warehouse: GETs in a second, and the duration of each. */
const PER_SECOND = 5;
const GET_MS = 150;

/** Integration under test, by the name of its row. */
const contenders = {
  Dockline: () => ({}),
  'least workflow on Temporal': () => least,
  'queue (BullMQ)': openQueue,
} as const satisfies Record<string, (opened: AsyncDisposableStack) => ContenderOptions | Promise<ContenderOptions>>;

type Name = keyof typeof contenders;

/** Largest burst for the others: one that asks again at once after 429 takes seconds for each order. */
const MOST_OF_OTHERS = 40;

/** Seconds that a call takes of the rate, with a margin for what arrives less evenly than it is sent. */
const SECONDS_PER_GET = 1.05 / PER_SECOND;

/** Rows of a listing, at most. */
const PAGE = 100;

/** Figures of one contender in one burst of orders, with the verdict on all rounds: what had not come after two minutes without any is lost. */
export interface AllowedRow extends Verdict {
  readonly name: Name;
  readonly orders: number;
  /** Least number of GETs, each order, pick job, customer and user once in pages of a hundred orders, and their seconds at the rate. */
  readonly limit: { readonly gets: number; readonly seconds: number };
  /** Seconds until everything is announced. */
  readonly seconds: Measured;
  /** Ratio of the seconds to Dockline's median. */
  readonly toDockline: number;
  readonly gets: Measured;
  /** GETs that the warehouse answered with 429, in all rounds. */
  readonly refused: number;
}

interface Figures extends Verdict, Readonly<Record<'seconds' | 'gets' | 'refused', number>> {}

interface AllowedOptions {
  readonly sizes: readonly number[];
  readonly rounds: number;
}

/** Measures bursts of orders where the warehouse allows five GETs in a second. */
export async function measureAllowed(
  { sizes, rounds }: AllowedOptions,
  environment: Environment,
): Promise<readonly AllowedRow[]> {
  const noRedis = await whyNoRedis(environment.path);
  if (noRedis) environment.say(`The queue is left out: ${noRedis}`);
  const names = (Object.keys(contenders) as Name[]).filter((name) => !noRedis || name !== 'queue (BullMQ)');
  const rows: Omit<AllowedRow, 'toDockline'>[] = [];
  for (const orders of sizes) rows.push(await measureBurst('Dockline', { orders, rounds }, environment));
  // The others wait for their turns most of the time, and so take the same in every round.
  const few = sizes.filter((orders) => orders <= MOST_OF_OTHERS);
  for (const orders of few)
    for (const name of names.filter((it) => it !== 'Dockline'))
      rows.push(await measureBurst(name, { orders, rounds: 1 }, environment));
  const docklines = new Map(
    rows.filter(({ name }) => name === 'Dockline').map((row) => [row.orders, row.seconds.median]),
  );
  return rows
    .map((row) => ({ ...row, toDockline: row.seconds.median / (docklines.get(row.orders) ?? Number.NaN) }))
    .sort((a, b) => a.orders - b.orders);
}

async function measureBurst(
  name: Name,
  { orders, rounds }: { readonly orders: number; readonly rounds: number },
  environment: Environment,
): Promise<Omit<AllowedRow, 'toDockline'>> {
  const all: Figures[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    environment.say(`${orders} orders at ${PER_SECOND} GETs a second, round ${round} of ${rounds}: ${name}`);
    all.push(await measureOnce(name, orders, environment));
  }
  return {
    name,
    orders,
    limit: limitOf(orders),
    seconds: summarize(all.map(({ seconds }) => seconds)),
    gets: summarize(all.map(({ gets }) => gets)),
    refused: all.reduce((total, { refused }) => total + refused, 0),
    ...sumVerdicts(all),
  };
}

function limitOf(orders: number): AllowedRow['limit'] {
  const gets = Math.ceil(orders / PAGE) + Math.ceil(orders / ORDERS_PER_JOB) + CUSTOMERS + USERS;
  return { gets, seconds: gets * SECONDS_PER_GET };
}

/** Time without a GET after which the check at the start is over, in milliseconds. */
const QUIET_MS = 3000;

/** Waits for the end of the check at the start, whose GETs are none of a burst's. */
async function untilQuiet(warehouse: Pick<StubWarehouse, 'calls'>): Promise<void> {
  for (let before = -1; warehouse.calls() > before; ) {
    before = warehouse.calls();
    await pause(QUIET_MS);
  }
}

async function measureOnce(name: Name, orders: number, environment: Environment): Promise<Figures> {
  await using opened = new AsyncDisposableStack();
  const contender: ContenderOptions = await contenders[name](opened);
  const env = { ...contender.env, WAREHOUSE_CALLS_PER_SECOND: String(PER_SECOND) };
  const system = await openSystem({ ...contender, env }, environment, opened);
  const { warehouse } = system.fixture;
  await untilQuiet(warehouse);
  warehouse.allow(PER_SECOND);
  system.slowDown({ getMs: GET_MS, destinationMs: 0 });
  const { eventsPerSecond, callsPerEvent } = await system.load('burst', orders);
  const events = orders * steps.length;
  const figures = {
    seconds: events / eventsPerSecond,
    gets: Math.round(callsPerEvent * events),
    refused: warehouse.refused(),
    ...system.verdict(),
  };
  const kinds = Object.entries(warehouse.answered()).map(([what, count]) => `${count} ${what}`);
  environment.say(
    `  ${figures.seconds.toFixed(1)} s, ${figures.gets} GETs (${kinds.join(', ')}), ${figures.refused} answered 429`,
  );
  return figures;
}
