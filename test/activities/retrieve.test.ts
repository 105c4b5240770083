import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, it } from 'vitest';
import {
  type Retrieved,
  type RetrieveInput,
  retrieve,
  retrieveAtOnce,
  type TriedAtOnce,
} from '../../activities/retrieve.ts';
import { unknownLifecycle } from '../../src/domain/lifecycle.ts';
import { openRetrieving } from './retrieving.ts';

/** The activity, and the attempt at once, on the simulated warehouse and a store in memory. */
async function open(options?: Parameters<typeof openRetrieving>[0]) {
  const opened = await openRetrieving(options);
  const { deps, subject } = opened;
  type Input = Pick<RetrieveInput, 'plan'> & Partial<RetrieveInput>;
  const run = (input: Input) =>
    new MockActivityEnvironment().run(retrieve, deps, { subject, userIds: [], ...input }) as Promise<Retrieved>;
  const runAtOnce = (input: Input) =>
    new MockActivityEnvironment().run(retrieveAtOnce, deps, { subject, userIds: [], ...input }) as Promise<TriedAtOnce>;
  return { ...opened, run, runAtOnce };
}

describe('a retrieval', () => {
  it('stores the order and returns the facts that decide its life', async () => {
    const { simulator, store, orderId, run } = await open();
    await simulator.emit(orderId, 'OrderFullyAllocated');
    expect(await run({ plan: ['getOrder'] })).toMatchObject({
      snapshot: { status: 'open', fullyAllocated: true, packDone: false },
      refused: [],
    });
    const stored = await store.resources.find('9104', 'order', orderId);
    expect(JSON.parse(stored?.body ?? '')).toMatchObject({ readOnly: { orderId: Number(orderId) } });
  });

  it('calls nothing that the plan does not ask for', async () => {
    const { run, calls } = await open();
    await run({ plan: ['getUser'], userIds: ['2108'] });
    expect(calls()).toEqual({ getUser: 1 });
  });

  it('finds the pick list through the order where the event names no pick job', async () => {
    const { simulator, store, orderId, run, calls } = await open();
    await simulator.emit(orderId, 'OrderPickJobDone');
    const { pickJobId } = await run({ plan: ['getOrdersPicklist'] });
    expect(calls()).toEqual({ getOrder: 1, getCustomer: 1, getOrdersPicklist: 1 });
    expect(await store.resources.find('9104', 'pickList', pickJobId ?? '')).toBeDefined();
    await run({ plan: ['getOrdersPicklist'], pickJobId: pickJobId ?? '' });
    expect(calls()).toEqual({ getOrder: 1, getCustomer: 1, getOrdersPicklist: 2 });
  });

  it('takes who changed the order last where the event names nobody', async () => {
    const { simulator, orderId, run, store } = await open();
    await simulator.emit(orderId, 'OrderUpdate');
    const { modifiedBy } = await run({ plan: ['getOrder', 'getUser'] });
    expect(await store.resources.find('9104', 'user', modifiedBy ?? '')).toBeDefined();
  });

  it('fetches a user once as long as the record is fresh', async () => {
    const { run, calls } = await open();
    await run({ plan: ['getUser'], userIds: ['2108', '2109'] });
    await run({ plan: ['getUser'], userIds: ['2108'] });
    expect(calls()).toEqual({ getUser: 2 });
  });

  it('fetches the customer once for many retrievals, and never fails for want of it', async () => {
    const { simulator, store, run, calls } = await open({ faults: { forbidden: ['getCustomer'] } });
    const { snapshot, refused } = await run({ plan: ['getOrder'] });
    expect(refused).toEqual([]);
    simulator.setFaults({ forbidden: [] });
    await run({ plan: ['getOrder'] });
    await run({ plan: ['getOrder'] });
    expect(calls()).toEqual({ getOrder: 3, getCustomer: 2 });
    expect(await store.resources.find('9104', 'customer', snapshot?.customerId ?? '')).toBeDefined();
  });

  it('fetches a few lines one by one, and stores each', async () => {
    const { simulator, store, orderId, run, calls } = await open();
    const [first = '', second = ''] = simulator.orderItemIds(orderId);
    await run({ plan: ['getOrdersItem'], orderItemIds: [first, second] });
    expect(calls()).toEqual({ getOrdersItem: 2 });
    const stored = await store.resources.find('9104', 'orderItem', `${orderId}/${second}`);
    expect(JSON.parse(stored?.body ?? '')).toMatchObject({ readOnly: { orderItemId: Number(second) } });
  });

  it('fetches many lines with one call', async () => {
    const { simulator, store, orderId, run, calls } = await open();
    const ids = simulator.orderItemIds(orderId);
    const { refused } = await run({ plan: ['getOrdersItem'], orderItemIds: [...ids, '999'] });
    expect(calls()).toEqual({ getOrder: 1 });
    for (const id of ids) {
      const stored = await store.resources.find('9104', 'orderItem', `${orderId}/${id}`);
      expect(JSON.parse(stored?.body ?? '')).toMatchObject({ readOnly: { orderItemId: Number(id) } });
    }
    expect(refused).toEqual([`getOrdersItem: GET /orders/${orderId} answered without the line 999`]);
  });

  it('takes a subject that is not there for gone only where the warehouse does not list it either', async () => {
    const { simulator, orderId, run } = await open();
    await simulator.emit(orderId, 'OrderDeleted');
    expect(await run({ plan: ['getOrder'] })).toMatchObject({
      snapshot: null,
      refused: [expect.stringContaining('404')],
    });
    expect(await run({ plan: ['getOrder'], missing: true })).toEqual({ snapshot: { status: 'gone' }, refused: [] });
  });

  it('fetches the customer that only a message named', async () => {
    const { run, calls } = await open();
    const stock = { tenant: '9104', kind: 'stock', id: '12.7001.' } as const;
    expect(await run({ subject: stock, plan: [], customerId: '418' })).toEqual({ snapshot: null, refused: [] });
    expect(calls()).toEqual({ getCustomer: 1 });
  });

  it('reports what is refused for good and goes on with the rest', async () => {
    const { run, orderId } = await open();
    const { snapshot, refused } = await run({ plan: ['getOrder', 'getUser'], userIds: ['999999'] });
    expect(snapshot?.status).toBe('open');
    expect(refused).toEqual([expect.stringMatching(/^getUser: GET \/uiproperties\/users\/999999 answered 404/)]);
    expect(orderId).not.toBe('');
  });

  it('fails where trying again may help', async () => {
    const { run } = await open({ faults: { forbidden: ['getUser'] } });
    await expect(run({ plan: ['getUser'], userIds: ['2108'] })).rejects.toMatchObject({
      code: 'ERR_WAREHOUSE_FORBIDDEN',
    });
  });
});

describe('a retrieval of a run that has just begun', () => {
  it('returns what an earlier run left, too', async () => {
    const { store, subject, run } = await open();
    const lifecycle = { ...unknownLifecycle, revision: 1 };
    await store.subjects.record(subject, lifecycle, [{ id: 'order:1/1/created', revision: 1, body: '{}' }]);
    const left = { lifecycle, unsent: ['order:1/1/created'], parked: [] };
    expect(await run({ plan: ['getOrder'], recall: true })).toMatchObject({
      snapshot: { status: 'open' },
      recollection: left,
    });
    expect(await run({ plan: [], recall: true })).toEqual({ snapshot: null, refused: [], recollection: left });
    expect(await run({ plan: ['getOrder'] })).not.toHaveProperty('recollection');
  });

  it('says so where nothing was left', async () => {
    const { run } = await open();
    expect(await run({ plan: [], recall: true })).toEqual({ snapshot: null, refused: [], recollection: null });
  });

  it('finds an item by the customer that is known of it, unless another one is given', async () => {
    const { simulator, store, run, calls } = await open();
    const item = { tenant: '9104', kind: 'item', id: simulator.create('item', { customerId: 419 }) } as const;
    await store.subjects.record(item, { ...unknownLifecycle, snapshot: { customerId: '419' } }, []);
    const input = { subject: item, plan: ['getItem'] } as const;
    expect(await run({ ...input, recall: true })).toMatchObject({ snapshot: { deactivated: false }, refused: [] });
    expect(await store.resources.find('9104', 'customer', '419')).toBeDefined();
    expect(calls()).toEqual({ getItem: 1, getCustomer: 1 });
    expect(await run(input)).toMatchObject({ snapshot: null, refused: [expect.stringContaining('{customerId}')] });
    expect(await run({ ...input, customerId: '418', recall: true })).toMatchObject({
      snapshot: null,
      refused: [expect.stringContaining('/customers/418/items/')],
    });
  });
});

describe('a retrieval at once', () => {
  it('retrieves the same where the warehouse can be asked offhand', async () => {
    const { run, runAtOnce } = await open();
    const input = { plan: ['getOrder'], recall: true } as const;
    expect(await runAtOnce(input)).toEqual({ retrieved: await run(input) });
  });

  it('asks nothing where the pace of the warehouse has no room for it', async () => {
    const { runAtOnce, calls } = await open({ callsPerSecond: 3 });
    expect(await runAtOnce({ plan: ['getOrder'] })).toEqual({ waitMs: 0 });
    expect(calls()).toEqual({});
  });

  it('does not fail with the warehouse, and leaves it alone for a while', async () => {
    const { simulator, clock, runAtOnce, calls } = await open({ faults: { errorRate: 1 } });
    expect(await runAtOnce({ plan: ['getOrder'] })).toEqual({ waitMs: 0 });
    simulator.setFaults({ errorRate: 0 });
    clock.time += 4999;
    expect(await runAtOnce({ plan: ['getOrder'] })).toEqual({ waitMs: 0 });
    expect(calls()).toEqual({ getOrder: 1 });
    clock.time += 1;
    expect(await runAtOnce({ plan: ['getOrder'] })).toMatchObject({ retrieved: { snapshot: { status: 'open' } } });
  });

  it.each([
    [7, 7000],
    [86_400, 600_000],
  ])('passes on that the warehouse asked to wait %i s as %i ms', async (retryAfterSeconds, waitMs) => {
    const { runAtOnce } = await open({ faults: { rateLimitRate: 1, retryAfterSeconds } });
    expect(await runAtOnce({ plan: ['getOrder'] })).toEqual({ waitMs });
  });

  it('takes what is refused for good for an answer', async () => {
    const { runAtOnce } = await open();
    const input = { plan: ['getUser'], userIds: ['999999'] } as const;
    const answer = { retrieved: { snapshot: null, refused: [expect.stringContaining('404')] } };
    expect(await runAtOnce(input)).toEqual(answer);
    expect(await runAtOnce(input)).toEqual(answer);
  });

  it('leaves what the store cannot take to the next attempt', async () => {
    const { store, runAtOnce, calls } = await open();
    await store.close();
    expect(await runAtOnce({ plan: ['getOrder'] })).toEqual({ waitMs: 0 });
    expect(calls()).toEqual({ getOrder: 1 });
  });
});
