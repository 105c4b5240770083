import { expect, it } from 'vitest';
import {
  announceQueues,
  announceTaskQueue,
  warehouseQueues,
  warehouseTaskQueue,
} from '../../src/temporal/task-queues.ts';

it('every operator has a task queue and a rate of its own, and the one without a name is always worked off', () => {
  const operators = [
    { tenant: '9104', callsPerSecond: 5 },
    { tenant: '7001', callsPerSecond: 2 },
  ];
  expect(warehouseQueues('dockline', operators)).toEqual([
    { taskQueue: 'dockline-warehouse-9104', perSecond: 5 },
    { taskQueue: 'dockline-warehouse-7001', perSecond: 2 },
    { taskQueue: 'dockline-warehouse', perSecond: 2 },
  ]);
});

it('an operator that takes any tenant has the one without a name', () => {
  const operators = [{ tenant: undefined, callsPerSecond: 5 }];
  expect(warehouseQueues('dockline', operators)).toEqual([{ taskQueue: warehouseTaskQueue('dockline'), perSecond: 5 }]);
});

it('every destination has a task queue of its own, and the one without a name is always worked off', () => {
  expect(announceQueues('dockline', [{ tenant: '9104' }, { tenant: '7001' }])).toEqual([
    'dockline-announce-9104',
    'dockline-announce-7001',
    'dockline-announce',
  ]);
  expect(announceQueues('dockline', [{ tenant: undefined }])).toEqual([announceTaskQueue('dockline')]);
});

it('workflows name the queues that are worked off', () => {
  const operator = { tenant: '9104', callsPerSecond: 5 };
  expect(announceQueues('dockline', [operator])).toContain(announceTaskQueue('dockline', '9104'));
  expect(warehouseQueues('dockline', [operator]).map(({ taskQueue }) => taskQueue)).toContain(
    warehouseTaskQueue('dockline', '9104'),
  );
});
