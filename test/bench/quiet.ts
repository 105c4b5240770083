import { setTimeout as pause } from 'node:timers/promises';
import type { Integration, Lives, QuietResult, Visit } from './results.ts';
import { figuresOf, medianRatio } from './rounds.ts';
import { median, summarize } from './statistics.ts';
import type { System } from './system.ts';
import type { Delivery } from './workload.ts';

const PAUSE_MS = 50;
const PATIENCE_MS = 20_000;

/** Sends each event once the one before it was announced, to a system that has nothing else to do. */
export async function live(system: System, count: number): Promise<Lives> {
  const orders = await system.orders(count);
  const { warehouse } = system.arena;
  const callsBefore = warehouse.calls();
  const latencies: number[] = [];
  for (const delivery of orders.flat()) {
    latencies.push(await follow(system, delivery));
    await pause(PAUSE_MS);
  }
  await system.idle();
  return {
    orderIds: orders.map(([first]) => first?.orderId ?? ''),
    ms: median(latencies),
    callsPerEvent: (warehouse.calls() - callsBefore) / latencies.length,
  };
}

async function follow({ arena, sender, signal }: System, delivery: Delivery): Promise<number> {
  const tooLate = AbortSignal.timeout(PATIENCE_MS);
  const announced = arena.ledger.announced(delivery.orderId, delivery.step, AbortSignal.any([signal, tooLate]));
  const sentAt = performance.now();
  const [at] = await Promise.all([announced, sender.send(delivery)]);
  return at - sentAt;
}

/** Compares what one webhook took in each round. */
export function quietOf(visits: readonly Visit[]): QuietResult {
  const latencies = (integration: Integration) => figuresOf(visits, integration, ({ lives }) => lives?.ms);
  const tookPart = new Set(visits.map(({ integration }) => integration));
  return {
    ratio: medianRatio(latencies('sqlite'), latencies('textbook')),
    ms: Object.fromEntries([...tookPart].map((integration) => [integration, summarize(latencies(integration))])),
  };
}
