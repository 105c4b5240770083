import { expect, it } from 'vitest';
import type { ApiObserver } from '../../../src/warehouse/client/api.ts';
import { never, openWarehouse } from '../open-warehouse.ts';

function collect() {
  const calls: string[] = [];
  const waits: number[] = [];
  const observer: ApiObserver = {
    called: ({ operation, status }) => void calls.push(`${operation} ${status}`),
    waited: (ms) => void waits.push(ms),
  };
  return { calls, waits, observer };
}

it('each GET is reported by its operation and status, also where it is repeated or has no answer', async () => {
  const { calls, observer } = collect();
  const answers = [{ status: 401 }, { body: { readOnly: { orderId: 1 } } }, { status: 503 }];
  const { warehouse } = await openWarehouse(
    { api: ({ target }) => (target.includes('/users/') ? { body: { id: 7 } } : (answers.shift() ?? { status: 404 })) },
    { observer },
  );
  await warehouse.getOrder('1', never);
  await expect(warehouse.getOrder('1', never)).rejects.toThrow('503');
  await warehouse.getUser('7', never);
  await expect(warehouse.list({ kind: 'order', since: 0, after: '', pageSize: 10 }, never)).rejects.toThrow('404');
  await expect(warehouse.getOrder('1', AbortSignal.timeout(0))).rejects.toThrow();
  expect(calls.slice(0, 5)).toEqual(['getOrder 401', 'getOrder 200', 'getOrder 503', 'getUser 200', 'getOrders 404']);
});

it('the wait for the rate limit is reported', async () => {
  const { waits, observer } = collect();
  const { warehouse } = await openWarehouse({}, { observer, callsPerSecond: 5 });
  await Promise.all(Array.from({ length: 6 }, () => warehouse.getOrder('1', never)));
  expect(waits.filter((ms) => ms < 900)).toHaveLength(5);
  expect(Math.max(...waits)).toBeGreaterThan(900);
});
