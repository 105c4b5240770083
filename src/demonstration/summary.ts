import { orderKey } from '../domain/order-id.ts';
import { type Stage, stages } from '../domain/stage.ts';
import type { OrderTruth } from '../simulator/simulator.ts';
import { expectedMilestones } from './expected.ts';

/** What the summary is drawn from: the simulator's record on one side, what Dockline and the destination hold on the other. */
export interface Evidence {
  readonly truth: readonly OrderTruth[];
  readonly sent: number;
  readonly undelivered: number;
  readonly inbox: { readonly accepted: number; readonly duplicates: number; readonly parked: number };
  readonly orders: readonly { readonly key: string; readonly stage: Stage }[];
  /** Ids of the announcements that came, each once. */
  readonly received: readonly string[];
  readonly duplicates: number;
  readonly outOfOrder: number;
  readonly warehouseCalls: number;
  readonly elapsedMs: number;
}

/** The result of a demonstration; `expected` comes from the simulator's own record of what it did. */
export interface Summary {
  readonly orders: number;
  readonly webhooks: {
    readonly sent: number;
    readonly accepted: number;
    readonly duplicates: number;
    readonly parked: number;
    readonly undelivered: number;
  };
  /** How many orders ended in each stage. */
  readonly stages: { readonly [S in Stage]?: number };
  /** Orders whose stage is not the one in which the simulator left them. */
  readonly wrongStages: readonly string[];
  readonly announcements: {
    readonly expected: number;
    readonly received: number;
    readonly duplicates: number;
    readonly missing: number;
    readonly outOfOrder: number;
  };
  readonly warehouseCalls: number;
  readonly elapsedMs: number;
}

/** Compares what should have come with what came. */
export function summarize(evidence: Evidence): Summary {
  const { truth, sent, undelivered, inbox, orders, received, duplicates, outOfOrder, warehouseCalls, elapsedMs } =
    evidence;
  const expected = truth.flatMap((order) =>
    expectedMilestones(order).map((milestone) => `${orderKey(order)} ${milestone}`),
  );
  return {
    orders: truth.length,
    webhooks: { sent, ...inbox, undelivered },
    stages: countStages(orders),
    wrongStages: wrongStages(truth, orders),
    announcements: {
      expected: expected.length,
      received: received.length,
      duplicates,
      missing: countMissing(expected, received.map(withoutRevision)),
      outOfOrder,
    },
    warehouseCalls,
    elapsedMs,
  };
}

/** Whether nothing is missing, doubled, out of order, parked or in the wrong stage. */
export function isWell({ webhooks, wrongStages, announcements }: Summary): boolean {
  const { duplicates, missing, outOfOrder } = announcements;
  const faults = [duplicates, missing, outOfOrder, webhooks.parked, webhooks.undelivered, wrongStages.length];
  return faults.every((count) => count === 0);
}

function countStages(orders: Evidence['orders']): Summary['stages'] {
  const counts = stages.map((stage) => [stage, orders.filter((order) => order.stage === stage).length] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

function wrongStages(truth: readonly OrderTruth[], orders: Evidence['orders']): string[] {
  const found = new Map(orders.map(({ key, stage }) => [key, stage]));
  return truth
    .filter((order) => expectedMilestones(order).length > 0 && found.get(orderKey(order)) !== order.stage)
    .map((order) => `${orderKey(order)} is ${found.get(orderKey(order)) ?? 'unknown'}, not ${order.stage}`);
}

/** `order:9104:31004581/3/packed` as the simulator can know it: `order:9104:31004581 packed`. */
const withoutRevision = (id: string): string => id.replace(/\/\d+\//, ' ');

/** How many of the expected are not among the received, each of which can stand for one only. */
function countMissing(expected: readonly string[], received: readonly string[]): number {
  const unused = Map.groupBy(received, (name) => name);
  return expected.filter((name) => unused.get(name)?.pop() === undefined).length;
}
