import { settle } from '../demonstration/settle.ts';
import type { Evidence, Summary } from '../demonstration/summary.ts';
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

/** Sends orders through their lives and waits for what should come of them. */
export async function demonstrate(demonstration: Demonstration): Promise<Summary> {
  const { orders, simulator, service, progress, signal } = demonstration;
  const startedAt = Date.now();
  simulator.setWebhooks([webhookRecord(service.intake.url)]);
  await simulator.play({
    orders,
    onProgress: (done) => progress(`${done} of ${orders} orders have lived their lives`),
  });
  return await settle({
    gather: () => gather(demonstration, startedAt),
    isIdle: async () => service.intake.isIdle() && (await service.store.summary.announcements()).unsent === 0,
    progress,
    signal,
  });
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
  const acknowledged = receiver?.received().map(({ id }) => id) ?? (await service.store.summary.acknowledged());
  const orders = (await service.store.summary.orders()).map((order) => ({ ...order, key: orderKey(order) }));
  return {
    truth,
    sent,
    undelivered,
    inbox: service.intake.counts(),
    orders: orders.filter(({ key }) => mine.has(key)),
    received: acknowledged.filter((id) => mine.has(id.split('/')[0] ?? '')),
    duplicates: receiver?.tally().duplicates ?? 0,
    outOfOrder: receiver?.tally().outOfOrder ?? 0,
    warehouseCalls: service.work.calls(),
    elapsedMs: Date.now() - startedAt,
  };
}
