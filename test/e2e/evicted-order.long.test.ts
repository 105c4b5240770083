import { expect, it } from 'vitest';
import { createOrder } from '../support/interrupted-order.ts';
import { useReplayer } from '../support/replayer.ts';
import { startSystem } from '../support/system.ts';

const SLOW_GET_MS = 1_500;

const { replay } = useReplayer();

it('an order that is evicted from the cache while its GET is slow announces each of 120 events once, also after a restart', async () => {
  // A cache of the worker's minimum, so that the other orders evict this one; and redispatches more often than a GET takes.
  const env = { TEMPORAL_CACHED_WORKFLOWS: '2', REDISPATCH_AFTER_MS: '500' };
  const system = await startSystem({ env });
  const { simulator, announced, receiver, restart, service, workflowId } = system;
  const ids: string[] = [];
  while (ids.length < 4) ids.push(await createOrder(system));
  const [id = '', ...others] = ids;
  simulator.setFaults({ latencyMs: SLOW_GET_MS });

  /** Delivers so many events of the order, fifty concurrently, and with each fifty one of every other order. */
  async function deliver(count: number) {
    for (let left = count; left > 0; left -= 50) {
      const chunk = Array.from({ length: Math.min(50, left) }, () => id);
      await Promise.all([...chunk, ...others].map((orderId) => simulator.emit(orderId, 'OrderUpdate')));
    }
  }
  await deliver(60);
  const calls = () => simulator.counts().calls.getOrder ?? 0;
  const before = calls();
  await simulator.emit(id, 'OrderUpdate');
  await expect.poll(calls, { interval: 10 }).toBeGreaterThan(before);
  await restart();
  await deliver(59);
  for (const [order, count] of [[id, 120] as const, ...others.map((other) => [other, 4] as const)]) {
    await expect.poll(() => announced(order).length).toBe(1 + count);
    const updates = Array.from({ length: count }, (_, index) => `${index + 2}/updated`);
    expect(announced(order).map((text) => text.split(' ')[0])).toEqual(['1/created', ...updates]);
  }
  expect(receiver.tally()).toEqual({ received: 136, duplicates: 0, outOfOrder: 0 });
  for (const each of ids)
    await replay(await service().webhook.client.workflow.getHandle(workflowId(each)).fetchHistory(), workflowId(each));
});
