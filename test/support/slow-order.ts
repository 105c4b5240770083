import { expect } from 'vitest';
import { createOrder } from './interrupted-order.ts';
import { type System, type SystemOptions, startSystem } from './system.ts';

const SLOW_GET_MS = 1_500;

/** Interval of redispatches, in milliseconds: shorter than a GET. */
export const REDISPATCH_AFTER_MS = '500';

/** Starts a system with so many orders that are announced as created, and whose warehouse is slow from now on. */
export async function startSlow(orders: number, options: SystemOptions = {}) {
  const system = await startSystem({ ...options, env: { REDISPATCH_AFTER_MS, ...options.env } });
  const ids: string[] = [];
  while (ids.length < orders) ids.push(await createOrder(system));
  system.simulator.setFaults({ latencyMs: SLOW_GET_MS });
  const [id = '', ...others] = ids;
  return { system, id, others };
}

/** Delivers so many events of an order, fifty concurrently, and with each fifty one of every other order. */
export async function deliver({ simulator }: System, id: string, count: number, others: readonly string[] = []) {
  for (let left = count; left > 0; left -= 50) {
    const chunk = Array.from({ length: Math.min(50, left) }, () => id);
    await Promise.all([...chunk, ...others].map((orderId) => simulator.emit(orderId, 'OrderUpdate')));
  }
}

/** Expects that exactly so many updates of an order are announced, in a sequence without gaps. */
export async function expectUpdates({ announced }: System, id: string, count: number): Promise<void> {
  await expect.poll(() => announced(id).length).toBe(1 + count);
  const ids = announced(id).map((text) => text.split(' ')[0]);
  expect(ids).toEqual(['1/created', ...Array.from({ length: count }, (_, index) => `${index + 2}/updated`)]);
}

/** Resolves once an action has led to a GET of an order. */
export async function untilRetrieving({ simulator }: System, act: () => Promise<unknown>): Promise<void> {
  const calls = () => simulator.counts().calls.getOrder ?? 0;
  const before = calls();
  await act();
  await expect.poll(calls, { interval: 10 }).toBeGreaterThan(before);
}
