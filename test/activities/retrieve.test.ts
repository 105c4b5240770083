import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ActivityDeps } from '../../activities/ports.ts';
import { type Retrieved, type RetrieveInput, retrieve } from '../../activities/retrieve.ts';
import { type SimulatorOptions, startSimulator } from '../../src/simulator/simulator.ts';
import { openStore } from '../../src/store/store.ts';
import { createWarehouse } from '../../src/warehouse/warehouse.ts';

/** The activity on the simulated warehouse and a store in memory. */
async function open(options: Partial<SimulatorOptions> = {}) {
  const simulator = await startSimulator({ port: 0, seed: 1, ...options });
  const store = await openStore({ file: ':memory:' });
  const { baseUrl, authUrl, credentials } = simulator;
  const warehouse = createWarehouse({
    baseUrl,
    authUrl,
    ...credentials,
    orderDetail: [],
    itemDetail: [],
    receiptDetail: [],
    timeoutMs: 5000,
  });
  onTestFinished(async () => {
    await warehouse.close();
    await store.close();
    await simulator.close();
  });
  const orderId = simulator.createOrder({ lines: 12 });
  const subject = { tenant: '9104', kind: 'order', id: orderId } as const;
  const { resources } = store;
  const deps = { warehouseOf: () => warehouse, resources, directoryMaxAgeMs: 60_000 } as unknown as ActivityDeps;
  const run = (input: Pick<RetrieveInput, 'plan'> & Partial<RetrieveInput>) =>
    new MockActivityEnvironment().run(retrieve, deps, { subject, userIds: [], ...input }) as Promise<Retrieved>;
  const calls = () => {
    const { token: _, ...gets } = simulator.counts().calls;
    return gets;
  };
  return { simulator, store, orderId, run, calls };
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
