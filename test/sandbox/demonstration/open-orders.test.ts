import { expect, it, onTestFinished } from 'vitest';
import { leaveOpen, trickle } from '../../../sandbox/demonstration/open-orders.ts';
import { startSimulator } from '../../../sandbox/simulator/simulator.ts';
import { carrierOf } from '../../../sandbox/simulator/state/carriers.ts';

it('orders are left open in each stage, three miss their truck, one is stuck, and the others go on to their ends', async () => {
  const simulator = await startSimulator({ port: 0, seed: 1, tplId: 9104 });
  onTestFinished(() => simulator.close());
  const stop = new AbortController();
  const orders = await leaveOpen(simulator, stop.signal);
  expect(orders.slice(0, 10).map(({ done }) => done)).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5]);
  // Nobody works on three of the first truck.
  const worked = new Set(orders.map(({ id }) => id));
  const [stuck = ''] = Object.keys(simulator.faults().records);
  const left = simulator.truth().filter(({ id }) => id !== stuck && !worked.has(id));
  expect(left.map(({ id }) => carrierOf(Number(id)).name)).toEqual(['UPS', 'UPS', 'UPS']);
  // Of the others, those of the first truck are nearly done.
  const placed = orders.slice(0, 10);
  expect(placed.map(({ id, done }) => done >= 4 === (carrierOf(Number(id)).name === 'UPS'))).not.toContain(false);
  const last = placed.map(
    ({ id }) =>
      simulator
        .truth()
        .find((it) => it.id === id)
        ?.events.at(-1)?.milestone,
  );
  const open = ['created', 'fullyAllocated', 'picked', 'packStarted', 'packed'];
  expect(last).toEqual([...open, ...open]);
  expect(Object.values(simulator.faults().records)).toEqual([500]);
  const stages = () => simulator.truth().map(({ stage }) => stage);
  const going = trickle(simulator, orders, stop.signal, 1);
  await expect.poll(() => stages().filter((stage) => stage === 'confirmed').length).toBeGreaterThan(10);
  stop.abort();
  await going;
  const all = ['created', 'fullyAllocated', 'picked', 'packing', 'packed', 'confirmed'];
  expect(new Set(stages())).toEqual(new Set(all));
  expect(simulator.truth().find(({ id }) => id === stuck)?.stage).toBe('created');
  expect(
    simulator.truth().filter(({ id, stage }) => stage === 'created' && left.some((it) => it.id === id)),
  ).toHaveLength(3);
});
