import { expect, onTestFinished } from 'vitest';
import type { SignaledEvent } from '../../src/domain/event.ts';
import type { SubjectRef } from '../../src/domain/subject.ts';
import { createDispatcher, type DispatcherDeps } from '../../src/inbox/dispatcher.ts';
import type { Store } from '../../src/store/store.ts';

/** What a server that is away makes a call fail with. */
export class Outage extends Error {}

/** A workflow server as far as the dispatcher can see one. */
export function createServer(behave: (order: SubjectRef, call: number) => Promise<void> | void = () => {}) {
  const calls: { readonly orderId: string; readonly ids: readonly string[] }[] = [];
  const underWay = new Map<string, number>();
  const peak = { orders: 0, ofOneOrder: 0 };
  return {
    calls,
    peak,
    received: () => calls.flatMap(({ ids }) => ids),
    async dispatch(order: SubjectRef, events: readonly SignaledEvent[]): Promise<void> {
      const orderId = order.id;
      underWay.set(orderId, (underWay.get(orderId) ?? 0) + 1);
      peak.orders = Math.max(peak.orders, [...underWay.values()].filter(Boolean).length);
      peak.ofOneOrder = Math.max(peak.ofOneOrder, ...underWay.values());
      const index = calls.push({ orderId, ids: [] }) - 1;
      try {
        await behave(order, calls.length);
        calls[index] = { orderId, ids: events.map(({ id }) => id) };
      } finally {
        underWay.set(orderId, (underWay.get(orderId) ?? 1) - 1);
      }
    },
  };
}

/** Starts a dispatcher that ends with the test, with the lines that it logs. */
export function begin(store: Store, deps: Partial<DispatcherDeps> & Pick<DispatcherDeps, 'dispatch'>) {
  const lines: string[] = [];
  const log = (_fields: object, message: string) => void lines.push(message);
  const dispatcher = createDispatcher({
    rows: store.inbox,
    isOutage: (error) => error instanceof Outage,
    logger: { info: log, warn: log, error: log },
    random: () => 0.5,
    ...deps,
  });
  onTestFinished(() => dispatcher.close());
  dispatcher.start();
  return { ...dispatcher, lines };
}

/** Resolves when nothing waits and nothing is under way. */
export const untilIdle = (dispatcher: { idle(): boolean }) =>
  expect.poll(dispatcher.idle, { timeout: 20_000, interval: 5 }).toBe(true);

/** A promise and what resolves it. */
export function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
