import type { EndToEndResult, Integration, Passage, Pattern, Visit } from './results.ts';
import { figuresOf, medianRatio } from './rounds.ts';
import { median, quantile, summarize } from './statistics.ts';
import type { System } from './system.ts';
import { type OrderLoad, steps } from './workload.ts';

/** Has fresh orders followed to their ends, and waits until the system has nothing more to do. */
export async function pass(system: System, pattern: Pattern, count: number): Promise<Passage> {
  const { arena, sender } = system;
  const orders = await system.orders(count);
  const events = count * steps.length;
  const callsBefore = arena.warehouse.calls();
  sender.latencies();
  const startedAt = performance.now();
  await send(system, pattern, orders);
  const ms = (await system.followed()) - startedAt;
  await system.idle();
  return {
    orderIds: orders.map(([first]) => first?.orderId ?? ''),
    eventsPerSecond: (events / ms) * 1000,
    callsPerEvent: (arena.warehouse.calls() - callsBefore) / events,
    p99Ms: quantile(sender.latencies(), 0.99),
  };
}

const send = ({ sender }: System, pattern: Pattern, orders: readonly OrderLoad[]): Promise<void> =>
  pattern === 'burst' ? sender.burst(orders) : sender.paced(orders, Number(pattern));

/** Compares who was how fast in each round. */
export function endToEndOf(visits: readonly Visit[]): EndToEndResult {
  const rates = (integration: Integration, pattern: Pattern) =>
    figuresOf(visits, integration, ({ passages }) => passages[pattern]?.eventsPerSecond);
  const ratio = (pattern: Pattern) => medianRatio(rates('sqlite', pattern), rates('textbook', pattern));
  const summaryOf = (integration: Integration) => ({
    '16': summarize(rates(integration, '16')),
    '64': summarize(rates(integration, '64')),
    burst: summarize(rates(integration, 'burst')),
  });
  const tookPart = new Set(visits.map(({ integration }) => integration));
  return {
    ...{ ratio16: ratio('16'), ratio64: ratio('64'), burst: ratio('burst') },
    eventsPerSecond: median(rates('sqlite', '16')),
    rates: Object.fromEntries([...tookPart].map((integration) => [integration, summaryOf(integration)])),
  };
}

/** What the slowest of a hundred answers took on SQLite while everything ran; null where that was not measured. */
export function p99Of(visits: readonly Visit[]): number | null {
  const slowest = figuresOf(visits, 'sqlite', ({ passages }) => passages['16']?.p99Ms);
  return slowest.length > 0 ? median(slowest) : null;
}
