import { expect, it, onTestFinished } from 'vitest';
import { leaveOpen } from '../../../src/sandbox/demonstration/open-orders.ts';
import { startSimulator } from '../../../src/sandbox/simulator/simulator.ts';

it('orders are left open in each stage in which an order is', async () => {
  const simulator = await startSimulator({ port: 0, seed: 1, tplId: 9104 });
  onTestFinished(() => simulator.close());
  expect(await leaveOpen(simulator, new AbortController().signal)).toBe(10);
  const last = simulator.truth().map(({ events }) => events.at(-1)?.milestone);
  expect(last).toEqual(['created', 'fullyAllocated', 'picked', 'packStarted', 'packed'].flatMap((it) => [it, it]));
});
