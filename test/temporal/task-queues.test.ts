import { expect, it } from 'vitest';
import { warehouseQueues, warehouseTaskQueue } from '../../src/temporal/task-queues.ts';

it('every tenant has its own task queue and rate, and the one without a name is always polled', () => {
  const tenants = [
    { id: '9104', callsPerSecond: 5 },
    { id: '7001', callsPerSecond: 2 },
  ];
  expect(warehouseQueues('dockline', tenants)).toEqual([
    { taskQueue: 'dockline-warehouse-9104', perSecond: 5 },
    { taskQueue: 'dockline-warehouse-7001', perSecond: 2 },
    { taskQueue: 'dockline-warehouse', perSecond: 2 },
  ]);
});

it('a tenant without an id has the queue without a name', () => {
  const tenants = [{ id: undefined, callsPerSecond: 5 }];
  expect(warehouseQueues('dockline', tenants)).toEqual([{ taskQueue: warehouseTaskQueue('dockline'), perSecond: 5 }]);
});

it('workflows name the queues that are polled', () => {
  const tenant = { id: '9104', callsPerSecond: 5 };
  expect(warehouseQueues('dockline', [tenant]).map(({ taskQueue }) => taskQueue)).toContain(
    warehouseTaskQueue('dockline', '9104'),
  );
});
