import { setTimeout as pause } from 'node:timers/promises';
import { type ContenderOptions, type Environment, type Fixture, openFixture, startContender } from './fixture.ts';
import type { Verdict } from './ledger.ts';
import { memoryOf, processorTimeOf } from './processor-time.ts';
import { openSender } from './sender.ts';
import { createWorkload, type Delivery, stepByStep, steps } from './workload.ts';

/** Order in which webhooks are sent: 16 orders at a time, or all together. */
export type Pattern = '16' | 'burst';

/** Figures of a number of orders. */
export interface Pass {
  readonly orderIds: readonly string[];
  /** GETs of the warehouse per event, those after the last announcement included. */
  readonly callsPerEvent: number;
}

/** Figures of events that come alone. */
export interface Steady {
  /** Milliseconds from each webhook to its announcement. */
  readonly latencies: readonly number[];
  /** Milliseconds to each answer. */
  readonly answers: readonly number[];
  /** Announcements per second, from the first webhook to the last announcement. */
  readonly reached: number;
}

/** Contender with everything around it, from the warehouse to the destination. */
export interface System {
  readonly fixture: Fixture;
  /** Address of the administrative API; nothing is there where the contender has none. */
  readonly adminUrl: string;
  /** Sets the latency of the warehouse and of the destination, in milliseconds. */
  slowDown(latencies: { readonly getMs: number; readonly destinationMs: number }): void;
  /** Sends orders in a pattern and waits until the system is idle; the rate counts from the first webhook to the last announcement. */
  load(pattern: Pattern, count: number): Promise<Pass & { readonly eventsPerSecond: number }>;
  /** Sends events at a fixed rate, each alone, two seconds after the one of its order before it; those of a turn last twelve seconds. */
  steady(perSecond: number, turns: number): Promise<Pass & Steady>;
  /** Returns the processor time used so far by the contender and by Temporal's server, in milliseconds. */
  processorTimes(): Promise<{ readonly contender: number; readonly temporal: number }>;
  /** Returns the memory that the contender has now, in megabytes. */
  memoryMb(): Promise<number>;
  verdict(): Verdict;
}

/** Time between two events of an order of which each comes alone, in seconds. */
const APART_SECONDS = 2;
/** Enough for a burst to arrive as one. */
const CONNECTIONS = 128;
const PATIENCE_MS = 120_000;
/** Of a contender that retries nothing for long. */
const SHORT_PATIENCE_MS = 3_000;
/** Without a call for that long a system is idle; a second announcement would have come by then. */
const IDLE_MS = 600;
const MAX_POLLS = 100;

/** Starts a contender in a fresh process with fresh data and a Temporal server of its own, until the given stack is closed. */
export async function openSystem(
  contender: ContenderOptions,
  environment: Environment,
  opened: AsyncDisposableStack,
): Promise<System> {
  const { temporalBinary, signal } = environment;
  const fixture = await openFixture(opened, temporalBinary);
  const { ledger, warehouse } = fixture;
  const { url, adminUrl, pid } = await startContender(contender, { ...environment, fixture }, opened);
  const onSend = ({ orderId, step }: Delivery) => warehouse.show(orderId, step);
  const sender = opened.adopt(openSender({ url, connections: CONNECTIONS, onSend, signal }), (it) => it.close());
  const workload = createWorkload(warehouse);
  const patienceMs = contender.isPatient === false ? SHORT_PATIENCE_MS : PATIENCE_MS;

  /** Signs orders before `send` is timed, and waits for the last GET after it. */
  async function pass<T>(count: number, send: (orders: readonly (readonly Delivery[])[]) => Promise<T>) {
    const orders = await workload.orders(count);
    const orderIds = orders.map(([first]) => first?.orderId ?? '');
    for (const id of orderIds) ledger.expect(id);
    const callsBefore = warehouse.calls();
    const figures = await send(orders);
    await untilIdle();
    return { ...figures, orderIds, callsPerEvent: (warehouse.calls() - callsBefore) / (count * steps.length) };
  }

  async function untilIdle(): Promise<void> {
    let before = -1;
    for (let polls = 0; polls < MAX_POLLS && warehouse.calls() > before; polls += 1) {
      before = warehouse.calls();
      await pause(IDLE_MS, undefined, { signal });
    }
  }

  return {
    fixture,
    adminUrl,
    slowDown({ getMs, destinationMs }) {
      warehouse.setLatency(getMs);
      fixture.destination.setLatency(destinationMs);
    },
    load: (pattern, count) =>
      pass(count, async (orders) => {
        const startedAt = performance.now();
        await (pattern === 'burst' ? sender.burst(orders) : sender.paced(orders, Number(pattern)));
        const ms = (await ledger.complete(patienceMs, signal)) - startedAt;
        return { eventsPerSecond: ((count * steps.length) / ms) * 1000 };
      }),
    steady: (perSecond, turns) =>
      pass(perSecond * APART_SECONDS * turns, async (orders) => {
        const together = orders.length / turns;
        const deliveries = Array.from({ length: turns }, (_, turn) =>
          stepByStep(orders.slice(turn * together, (turn + 1) * together)),
        ).flat();
        const startedAt = performance.now();
        const answers = await sender.steady(deliveries, perSecond);
        const ms = (await ledger.complete(patienceMs, signal)) - startedAt;
        const latencies = deliveries.flatMap(({ orderId, step }, index) => {
          const announcedAt = ledger.announcedAt(orderId, step);
          // From when it was due, or a sender that falls behind would hide what it waits for.
          return announcedAt === undefined ? [] : [announcedAt - startedAt - (index * 1000) / perSecond];
        });
        return { latencies, answers, reached: (latencies.length / ms) * 1000 };
      }),
    async processorTimes() {
      const [own, temporal] = await Promise.all([pid, fixture.temporalPid].map(processorTimeOf));
      return { contender: own ?? Number.NaN, temporal: temporal ?? Number.NaN };
    },
    memoryMb: () => memoryOf(pid),
    verdict: ledger.verdict,
  };
}
