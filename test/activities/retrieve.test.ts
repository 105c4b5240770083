import { describe, expect, it } from 'vitest';
import { retrieve } from '../../activities/advance.ts';
import { takeBatch } from '../../activities/batch.ts';
import { retrieveBatch } from '../../activities/process-batch.ts';
import { type SubjectRef, subjectKey } from '../../src/domain/catalogue/subject.ts';
import { recordAs } from '../store/recordings.ts';
import { lifecycleOf } from '../support/make.ts';
import { deliver, quietEnvironment, troubleOf, waitingFor } from './deps.ts';
import { openRetrieving } from './retrieving.ts';

const publishing = { known: null, refresh: false, announce: true, busy: [] };

/** The activity on the simulated warehouse and a store. */
async function open(options?: Parameters<typeof openRetrieving>[0]) {
  const opened = await openRetrieving(options);
  const { deps, subject } = opened;
  return {
    ...opened,
    /** Retrieves what waiting events ask for. */
    runWaiting: async (of: SubjectRef = subject, { refresh = false } = {}) => {
      const batch = await takeBatch(deps, of, refresh);
      return await quietEnvironment().run(retrieveBatch, deps, of, batch, { isRetry: false, since: Date.now() });
    },
    /** Retrieves, records and announces as the regular activity does. */
    publish: (attempt: number) => quietEnvironment({ attempt }).run(retrieve, deps, { ...publishing, subject }),
  };
}

describe('a retrieval for waiting events', () => {
  it('reads the inbox and names its events, which keep waiting', async () => {
    const { store, subject, runWaiting, calls } = await open();
    const delivered = { name: 'OrderUpdate', userId: '2108' };
    const eventIds = await deliver(
      store,
      subject,
      { id: '9104:1', time: 1, ...delivered },
      { id: '9104:2', time: 2, ...delivered },
    );
    expect(await runWaiting()).toMatchObject({ eventIds, snapshot: { status: 'open' }, refused: [] });
    expect(calls()).toMatchObject({ getOrder: 1, getCustomer: 1 });
    expect(await store.resources.find('9104', 'user', '2108')).toBeDefined();
    expect(await waitingFor(store, subject)).toEqual(eventIds);
  });

  it('includes in each attempt the events that arrived meanwhile', async () => {
    const { simulator, store, subject, runWaiting } = await open({ faults: { errorRate: 1 } });
    await deliver(store, subject, { id: '9104:1', name: 'OrderCreate', time: 1 });
    await expect(runWaiting()).rejects.toMatchObject({ operation: 'getOrder' });
    simulator.setFaults({ errorRate: 0 });
    await deliver(store, subject, { id: '9104:2', name: 'OrderConfirm', time: 2 });
    expect((await runWaiting()).eventIds).toEqual(['9104:1', '9104:2']);
  });

  it('calls nothing if nothing waits, unless for a refresh', async () => {
    const { subject, runWaiting, calls } = await open();
    expect(await runWaiting()).toEqual({
      eventIds: [],
      startedAt: expect.any(Number),
      snapshot: null,
      refused: [],
      calls: [],
    });
    expect(calls()).toEqual({});
    expect(await runWaiting(subject, { refresh: true })).toMatchObject({ eventIds: [], snapshot: { status: 'open' } });
  });

  it('finds an item by the customer that is known of it, unless an event names another one', async () => {
    const { simulator, store, runWaiting, calls } = await open();
    const item = { tenant: '9104', kind: 'item', id: simulator.create('item', { customerId: 419 }) } as const;
    const delivered = { id: '9104:1', name: 'ItemUpdate', time: 1 };
    await deliver(store, item, delivered);
    expect(await runWaiting(item)).toMatchObject({
      snapshot: null,
      refused: [{ operation: 'getItem', message: expect.stringContaining('{customerId}') }],
    });
    await recordAs(store, item, { lifecycle: lifecycleOf({ snapshot: { customerId: '419' } }) });
    expect(await runWaiting(item)).toMatchObject({ snapshot: { deactivated: false }, refused: [] });
    expect(await store.resources.find('9104', 'customer', '419')).toBeDefined();
    expect(calls()).toEqual({ getItem: 1, getCustomer: 1 });
    await deliver(store, item, { ...delivered, id: '9104:2', customerId: '418' });
    expect(await runWaiting(item)).toMatchObject({
      snapshot: null,
      refused: [{ operation: 'getItem', message: expect.stringContaining('/customers/418/items/') }],
    });
  });
});

describe('a retrieval that fails and is retried', () => {
  it('is reported to operators, with the calls in its failure and the wait before the next attempt', async () => {
    const { simulator, store, subject, publish } = await open({
      faults: { errorRate: 1 },
      deps: {
        destinationOf: () => ({ name: 'default', filter: {}, timeoutMs: 1000, send: async () => ({ status: 204 }) }),
      },
    });
    await deliver(store, subject, { id: '9104:1', name: 'OrderCreate', time: 1 });
    await expect(publish(1)).rejects.toMatchObject({
      type: 'ERR_WAREHOUSE_FAILED',
      nonRetryable: false,
      nextRetryDelay: 1000,
      details: [{ calls: [{ operation: 'getOrder', status: 500, ms: expect.any(Number) }] }],
    });
    await expect(publish(2)).rejects.toMatchObject({ nextRetryDelay: 2000 });
    expect(await troubleOf(store, subject, 'retrieving')).toMatchObject({
      operation: 'getOrder',
      attempts: 2,
      error: expect.stringContaining('answered 500'),
    });
    simulator.setFaults({ errorRate: 0 });
    expect(await publish(3)).toMatchObject({
      recorded: { standing: { revision: 1, stage: 'created' } },
      announced: { default: { results: [{ id: `${subjectKey(subject)}/1/created`, status: 204 }], left: [] } },
      calls: [{ operation: 'getOrder', status: 200 }, { operation: 'getCustomer' }],
    });
    expect(await troubleOf(store, subject, 'retrieving')).toBeNull();
  });

  it('is not reported if it was canceled', async () => {
    const { store, subject, deps } = await open({ faults: { latencyMs: 60_000 } });
    await deliver(store, subject, { id: '9104:1', name: 'OrderCreate', time: 1 });
    const environment = quietEnvironment();
    const done = environment.run(retrieve, deps, { ...publishing, subject });
    environment.cancel();
    await expect(done).rejects.toThrow('CANCELLED');
    expect(await troubleOf(store, subject, 'retrieving')).toBeNull();
  });
});
