import { describe, expect, it } from 'vitest';
import type { RetrievalPlan } from '../../activities/batch.ts';
import { retrieveBatch } from '../../activities/process-batch.ts';
import type { Attempts } from '../../activities/retrieval.ts';
import type { Operation } from '../../src/domain/catalogue/operation.ts';
import type { SubjectRef } from '../../src/domain/catalogue/subject.ts';
import { quietEnvironment } from './deps.ts';
import { openRetrieving } from './retrieving.ts';

/** The first attempt of a retrieval. */
const first: Attempts = { isRetry: false, since: Date.now() };

/** Retrievals from the simulated warehouse into a store. */
async function open(options?: Parameters<typeof openRetrieving>[0]) {
  const opened = await openRetrieving(options);
  const { deps, subject } = opened;
  return {
    ...opened,
    /** Retrieves what a plan asks for. */
    run: (plan: Partial<RetrievalPlan>, of: SubjectRef = subject, attempts: Partial<Attempts> = {}) => {
      const batch = { eventIds: [], traces: [], plan: { operations: [], userIds: [], ...plan } };
      return quietEnvironment().run(retrieveBatch, deps, of, batch, { ...first, ...attempts });
    },
  };
}

describe('a retrieval', () => {
  it('stores the order and returns the facts that decide its lifecycle', async () => {
    const { simulator, store, orderId, run } = await open();
    await simulator.emit(orderId, 'OrderFullyAllocated');
    expect(await run({ operations: ['getOrder'] })).toMatchObject({
      snapshot: { status: 'open', fullyAllocated: true, packDone: false },
      refused: [],
    });
    const stored = await store.resources.find('9104', 'order', orderId);
    expect(JSON.parse(stored?.body ?? '')).toMatchObject({ readOnly: { orderId: Number(orderId) } });
  });

  it('calls nothing that the plan does not ask for', async () => {
    const { run, calls } = await open();
    await run({ operations: ['getUser'], userIds: ['2108'] });
    expect(calls()).toEqual({ getUser: 1 });
  });

  it('finds the pick list through the order if the event names no pick job', async () => {
    const { simulator, store, orderId, run, calls } = await open();
    await simulator.emit(orderId, 'OrderPickJobDone');
    const { pickJobId } = await run({ operations: ['getOrdersPicklist'] });
    expect(calls()).toEqual({ getOrder: 1, getCustomer: 1, getOrdersPicklist: 1 });
    expect(await store.resources.find('9104', 'pickList', pickJobId ?? '')).toBeDefined();
    await run({ operations: ['getOrdersPicklist'], pickJobId: pickJobId ?? '' });
    expect(calls()).toEqual({ getOrder: 1, getCustomer: 1, getOrdersPicklist: 2 });
  });

  it('fetches the last modifier only if an event names no user', async () => {
    const { simulator, orderId, run, store } = await open();
    await simulator.emit(orderId, 'OrderUpdate');
    const plan = { operations: ['getOrder', 'getUser'], userIds: [] } as const;
    const { modifiedBy } = await run(plan);
    expect(await store.resources.find('9104', 'user', modifiedBy ?? '')).toBeUndefined();
    await run({ ...plan, needsModifier: true });
    expect(await store.resources.find('9104', 'user', modifiedBy ?? '')).toBeDefined();
  });

  it('fetches a user once as long as the record is fresh', async () => {
    const { run, calls } = await open();
    await run({ operations: ['getUser'], userIds: ['2108', '2109'] });
    await run({ operations: ['getUser'], userIds: ['2108'] });
    expect(calls()).toEqual({ getUser: 2 });
  });

  it('fetches the customer once for many retrievals', async () => {
    const { store, run, calls } = await open();
    const { snapshot } = await run({ operations: ['getOrder'] });
    await run({ operations: ['getOrder'] });
    expect(calls()).toEqual({ getOrder: 2, getCustomer: 1 });
    expect(await store.resources.find('9104', 'customer', snapshot?.customerId ?? '')).toBeDefined();
  });

  it('fetches a few lines one by one, and stores each', async () => {
    const { simulator, store, orderId, run, calls } = await open();
    const [first = '', second = ''] = simulator.orderItemIds(orderId);
    await run({ operations: ['getOrdersItem'], orderItemIds: [first, second] });
    expect(calls()).toEqual({ getOrdersItem: 2 });
    const stored = await store.resources.find('9104', 'orderItem', `${orderId}/${second}`);
    expect(JSON.parse(stored?.body ?? '')).toMatchObject({ readOnly: { orderItemId: Number(second) } });
  });

  it('fetches many lines with one call', async () => {
    const { simulator, store, orderId, run, calls } = await open();
    const ids = simulator.orderItemIds(orderId);
    const { refused } = await run({ operations: ['getOrdersItem'], orderItemIds: [...ids, '999'] });
    expect(calls()).toEqual({ getOrder: 1 });
    for (const id of ids) {
      const stored = await store.resources.find('9104', 'orderItem', `${orderId}/${id}`);
      expect(JSON.parse(stored?.body ?? '')).toMatchObject({ readOnly: { orderItemId: Number(id) } });
    }
    const message = `order ${orderId} has no line 999`;
    expect(refused).toEqual([{ operation: 'getOrdersItem', id: '999', message }]);
  });

  it('considers a subject gone only if the warehouse does not list it either', async () => {
    const { simulator, orderId, run } = await open();
    await simulator.emit(orderId, 'OrderDeleted');
    expect(await run({ operations: ['getOrder'] })).toMatchObject({
      snapshot: null,
      refused: [{ operation: 'getOrder', message: expect.stringContaining('404') }],
    });
    expect(await run({ operations: ['getOrder'], missing: true })).toMatchObject({
      snapshot: { status: 'gone' },
      refused: [],
    });
  });

  it('waits for a new subject that is not found, as long as reads may lag', async () => {
    const { simulator, run } = await open({ deps: { readLagMs: 60_000 } });
    const notFound = { operations: ['getOrder'], isNew: true } as const;
    simulator.setFaults({ statuses: { getOrder: 404 } });
    await expect(run(notFound)).rejects.toMatchObject({ cause: { code: 'ERR_WAREHOUSE_NOT_YET' } });
    const refused = [{ operation: 'getOrder', message: expect.stringContaining('404') }];
    expect(await run({ operations: ['getOrder'] })).toMatchObject({ snapshot: null, refused });
    expect(await run({ ...notFound, isCarried: true })).toMatchObject({ snapshot: null, refused });
    simulator.setFaults({ statuses: { getOrder: 410 } });
    expect(await run(notFound)).toMatchObject({ snapshot: null });
  });

  it('fetches the customer that only a message named', async () => {
    const { run, calls } = await open();
    const stock = { tenant: '9104', kind: 'stock', id: '12.7001.' } as const;
    expect(await run({ customerId: '418' }, stock)).toMatchObject({ snapshot: null, refused: [] });
    expect(calls()).toEqual({ getCustomer: 1 });
  });

  it('reports a final refusal and continues with the rest', async () => {
    const { run, orderId } = await open();
    const { snapshot, refused } = await run({ operations: ['getOrder', 'getUser'], userIds: ['999999'] });
    expect(snapshot?.status).toBe('open');
    const message = expect.stringMatching(/^GET \/uiproperties\/users\/999999 answered 404/);
    expect(refused).toEqual([{ operation: 'getUser', id: '999999', message }]);
    expect(orderId).not.toBe('');
  });
});

describe('a part that cannot be had', () => {
  const parts: [Operation, Partial<RetrievalPlan>][] = [
    ['getUser', { userIds: ['2108'] }],
    ['getCustomer', { customerId: '418' }],
    ['getOrdersPicklist', { pickJobId: '1' }],
    ['getOrdersItem', { orderItemIds: ['1'] }],
  ];

  it.each(
    parts.flatMap(([operation, plan]) => [403, 404, 410, 400].map((status) => [operation, status, plan] as const)),
  )('is left out at once if %s answers %i', async (operation, status, plan) => {
    const { run, calls } = await open({ faults: { statuses: { [operation]: status } } });
    const message = expect.stringContaining(`answered ${status}`);
    expect(await run({ operations: [operation], isOwnOptional: true, ...plan })).toMatchObject({
      snapshot: null,
      refused: [{ operation, id: expect.any(String), message }],
    });
    expect(calls()).toEqual({ [operation]: 1 });
  });

  it.each(parts)('is tried once more if %s fails, and then left out', async (operation, rest) => {
    const { simulator, run } = await open({ faults: { statuses: { [operation]: 503 } } });
    const plan = { operations: [operation], isOwnOptional: true, ...rest } as const;
    await expect(run(plan)).rejects.toMatchObject({ operation, cause: { code: 'ERR_WAREHOUSE_FAILED' } });
    expect(await run(plan, undefined, { isRetry: true })).toMatchObject({ refused: [{ operation }] });
    simulator.setFaults({ statuses: {}, unauthenticated: true });
    await expect(run(plan, undefined, { isRetry: true })).rejects.toMatchObject({
      cause: { code: 'ERR_WAREHOUSE_TOKEN' },
    });
  });

  it('is not asked for again by every subject while a role is missing', async () => {
    const { run, calls } = await open({ faults: { forbidden: ['getUser'] } });
    const results = [];
    for (const id of ['2108', '2109', '2110']) results.push(await run({ operations: ['getUser'], userIds: [id] }));
    expect(calls()).toEqual({ getUser: 1 });
    expect(results.map(({ refused }) => refused[0]?.message)).toEqual([
      expect.stringMatching(/^GET .* answered 403/),
      'not called, because a moment ago another getUser was answered 403',
      'not called, because a moment ago another getUser was answered 403',
    ]);
  });

  it('leads to no failure if a copy of it is fresh', async () => {
    const { simulator, run } = await open();
    await run({ operations: ['getUser'], userIds: ['2108'] });
    simulator.setFaults({ forbidden: ['getUser'] });
    await run({ operations: ['getUser'], userIds: ['2109'] });
    expect(await run({ operations: ['getUser'], userIds: ['2108'] })).toMatchObject({ refused: [], calls: [] });
  });

  it('is the order itself, if it only leads to its pick list', async () => {
    const { run } = await open({ faults: { forbidden: ['getOrder'] } });
    expect(await run({ operations: ['getOrdersPicklist'], isOwnOptional: true })).toMatchObject({
      snapshot: null,
      refused: [{ operation: 'getOrder' }],
    });
  });
});

describe('a subject that cannot be had', () => {
  const plan = { operations: ['getOrder'] } as const;
  const carried = { ...plan, isCarried: true } as const;
  const longAgo = { isRetry: true, since: Date.now() - 3_600_000 };

  it.each([404, 410, 400])('is done without if its GET answers %i', async (status) => {
    const { run } = await open({ faults: { statuses: { getOrder: status } } });
    expect(await run(plan)).toMatchObject({ snapshot: null, refused: [{ operation: 'getOrder' }] });
  });

  it('holds its events back while a role is missing, unless their messages have it', async () => {
    const { run } = await open({ faults: { forbidden: ['getOrder'] } });
    await expect(run(plan, undefined, longAgo)).rejects.toMatchObject({ cause: { code: 'ERR_WAREHOUSE_FORBIDDEN' } });
    expect(await run(carried)).toMatchObject({ snapshot: null, refused: [{ operation: 'getOrder' }] });
  });

  it('holds its events back in an outage, unless that lasts and their messages have it', async () => {
    const { run } = await open({ faults: { down: true } });
    await expect(run(plan, undefined, longAgo)).rejects.toMatchObject({ cause: { code: 'ERR_WAREHOUSE_FAILED' } });
    await expect(run(carried)).rejects.toMatchObject({ cause: { code: 'ERR_WAREHOUSE_FAILED' } });
    const refused = [{ operation: 'getOrder' }];
    expect(await run(carried, undefined, longAgo)).toMatchObject({ snapshot: null, refused });
    expect(await run({ ...carried, ownRefusedSince: longAgo.since })).toMatchObject({ refused });
  });

  it.each([{ unauthenticated: true }, { down: true, tokenToo: true }])(
    'holds its events back while no token is accepted, though their messages have it: %j',
    async (faults) => {
      const { run } = await open({ faults });
      await expect(run(carried, undefined, longAgo)).rejects.toMatchObject({ cause: { code: 'ERR_WAREHOUSE_TOKEN' } });
    },
  );
});

describe('the calls of a retrieval', () => {
  const call = (operation: string, status: number | null) => ({ operation, status, ms: expect.any(Number) });

  it('are reported with their statuses and durations, those that were refused among them', async () => {
    const { run } = await open();
    const { calls } = await run({ operations: ['getOrder', 'getOrdersPicklist'], pickJobId: '999999' });
    const [own, ...parts] = calls;
    expect(own).toEqual(call('getOrder', 200));
    // They are made at the same time.
    const ordered = parts.toSorted((a, b) => a.operation.localeCompare(b.operation));
    expect(ordered).toEqual([call('getCustomer', 200), call('getOrdersPicklist', 404)]);
  });

  it('are reported with a failure, too', async () => {
    const { run } = await open({ faults: { statuses: { getUser: 503 } } });
    await expect(run({ operations: ['getOrder', 'getUser'], userIds: ['2108'] })).rejects.toMatchObject({
      calls: expect.arrayContaining([call('getOrder', 200), call('getCustomer', 200), call('getUser', 503)]),
    });
  });

  it('have no status if there was no answer', async () => {
    const { simulator, run } = await open();
    await run({ operations: ['getOrder'] });
    await simulator.close();
    await expect(run({ operations: ['getOrder'] })).rejects.toMatchObject({
      calls: [call('getOrder', null)],
      cause: { code: 'ERR_WAREHOUSE_UNREACHABLE' },
    });
  });
});
