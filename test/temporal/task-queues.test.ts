import { expect, it } from 'vitest';
import { warehouseQueues, warehouseTaskQueue } from '../../src/temporal/pollers.ts';

it('every tenant has its own task queue, and that of tenants that are no longer configured is polled, too', () => {
  expect(warehouseQueues('dockline', [{ id: '9104' }, { id: '7001' }])).toEqual([
    'dockline-warehouse-9104',
    'dockline-warehouse-7001',
    'dockline-warehouse',
  ]);
});

it('workflows name the queues that are polled', () => {
  expect(warehouseQueues('dockline', [{ id: '9104' }])).toContain(warehouseTaskQueue('dockline', '9104'));
});
