import { setTimeout as pause } from 'node:timers/promises';
import { type Evidence, isWell, type Summary, summarize } from '../demonstration/summary.ts';
import { catalogue } from '../domain/catalogue.ts';
import { orderKey } from '../domain/order-id.ts';
import type { Receiver } from '../receiver/receiver.ts';
import type { Simulator, WebhookRecord } from '../simulator/simulator.ts';

import type { Service } from './service.ts';

/** What a demonstration runs on. */
export interface Demonstration {
  readonly orders: number;
  readonly simulator: Simulator;
  /** The embedded receiver; what the destination of somebody else acknowledged is read from the store. */
  readonly receiver: Receiver | undefined;
  readonly service: Service;
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
}

/** How long nothing may move before what is missing is taken as lost, in milliseconds. */
const PATIENCE_MS = 60_000;

/** Sends orders through their lives and waits until everything that should come of them has come, or nothing moves any more. */
export async function demonstrate(demonstration: Demonstration): Promise<Summary> {
  const { orders, simulator, service, progress, signal } = demonstration;
  const startedAt = Date.now();
  simulator.setWebhooks([webhookRecord(service.intake.url)]);
  await simulator.play({
    orders,
    onProgress: (done) => progress(`${done} of ${orders} orders have lived their lives`),
  });

  let last = '';
  let movedAt = Date.now();
  for (;;) {
    const summary = summarize(await gather(demonstration, startedAt));
    const { received, expected } = summary.announcements;
    if (isWell(summary) && service.intake.isIdle() && (await service.store.summary.announcements()).unsent === 0)
      return summary;
    if (JSON.stringify({ ...summary, elapsedMs: 0 }) !== last) {
      last = JSON.stringify({ ...summary, elapsedMs: 0 });
      movedAt = Date.now();
      progress(`${received} of ${expected} announcements received`);
    }
    if (Date.now() - movedAt > PATIENCE_MS) return summary;
    await pause(250, undefined, { signal });
  }
}

/** Every event of orders of any customer, without the resource: what it tells is fetched. */
const webhookRecord = (destination: string): WebhookRecord => ({
  scope: 'Any Customer',
  description: 'Dockline',
  destination,
  eventType: 'Order',
  events: catalogue.filter(({ subject }) => subject === 'order').map(({ name }) => name),
  resources: [],
});

async function gather({ simulator, receiver, service }: Demonstration, startedAt: number): Promise<Evidence> {
  const truth = simulator.truth();
  const mine = new Set(truth.map(orderKey));
  const { sent, undelivered } = simulator.counts();
  const orders = (await service.store.summary.orders()).map((order) => ({ ...order, key: orderKey(order) }));
  return {
    truth,
    sent,
    undelivered,
    inbox: service.intake.counts(),
    orders: orders.filter(({ key }) => mine.has(key)),
    received: receiver ? receiver.received().map(({ id }) => id) : await service.store.summary.acknowledged(),
    duplicates: receiver?.tally().duplicates ?? 0,
    outOfOrder: receiver?.tally().outOfOrder ?? 0,
    warehouseCalls: service.work.calls(),
    elapsedMs: Date.now() - startedAt,
  };
}
