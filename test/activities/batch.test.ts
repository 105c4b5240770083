import { describe, expect, it } from 'vitest';
import { takeBatch } from '../../activities/batch.ts';
import { type SubjectRef, subjectKey } from '../../src/domain/catalogue/subject.ts';
import { dueSteps, recordAs, takeKeys } from '../store/recordings.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { hold, lifecycleOf, orderOf } from '../support/make.ts';
import { type Delivered, deliver, quarantinedIn, waitingFor } from './deps.ts';

const order = orderOf('31004581');

const event = (n: number, name: string, rest: Partial<Delivered> = {}): Delivered => ({
  id: `9104:${n}`,
  name,
  time: n,
  ...rest,
});

/** A store in whose inbox these events of one subject wait. */
async function open(delivered: readonly Delivered[], subject: SubjectRef = order) {
  const store = await openTemporaryStore();
  if (delivered.length > 0) await deliver(store, subject, ...delivered);
  return {
    store,
    read: ({ refresh = false } = {}) => takeBatch(store, subject, refresh),
    /** Makes a row unreadable, as another version may have written it. */
    spoil: (id: string, json: string) =>
      store.db.updateTable('inbox').set({ event: json }).where('event_id', '=', id).execute(),
  };
}

const planFor = async (delivered: readonly Delivered[], subject?: SubjectRef) =>
  (await (await open(delivered, subject)).read()).plan;

describe('a batch', () => {
  it('holds the waiting events, in the order of the inbox', async () => {
    const { read } = await open([event(3, 'OrderUpdate'), event(1, 'OrderCreate'), event(2, 'OrderUpdate')]);
    expect((await read()).eventIds).toEqual(['9104:3', '9104:1', '9104:2']);
  });

  it('holds the oldest if very many wait', async () => {
    const delivered = Array.from({ length: 502 }, (_, index) => event(index, 'OrderUpdate'));
    const { eventIds } = await (await open(delivered)).read();
    expect([eventIds.length, eventIds[0], eventIds.at(-1)]).toEqual([500, '9104:0', '9104:499']);
  });

  it('holds nothing of another subject', async () => {
    const { store, read } = await open([event(1, 'OrderUpdate')]);
    await deliver(store, { ...order, tenant: '9105' }, event(2, 'OrderUpdate'));
    expect((await read()).eventIds).toEqual(['9104:1']);
  });

  it('leaves the waiting events in the inbox', async () => {
    const { store, read } = await open([event(1, 'OrderUpdate')]);
    const first = await read();
    expect(first.eventIds).toEqual(['9104:1']);
    expect(await read()).toEqual(first);
    expect(await waitingFor(store, order)).toEqual(['9104:1']);
  });

  it('that is empty asks for nothing and lets the workflow be woken again', async () => {
    const { store, read } = await open([event(1, 'OrderUpdate')]);
    const key = subjectKey(order);
    await takeKeys(store);
    await store.inbox.quarantineAll(key, { code: 'otherSubject' });
    expect(await read()).toEqual({ eventIds: [], plan: undefined, traces: [] });
    await deliver(store, order, event(2, 'OrderUpdate'));
    expect(await takeKeys(store)).toEqual([key]);
  });

  it('that is not empty leaves the workflow woken until it is recorded', async () => {
    const { store, read } = await open([event(1, 'OrderUpdate')]);
    await takeKeys(store);
    await read();
    expect(await dueSteps(store)).toEqual({ [subjectKey(order)]: 'woken' });
  });
});

describe('the class of a batch', () => {
  const classOf = async (
    delivered: readonly Delivered[],
    { lookAgainAt, refresh = false }: { lookAgainAt?: number; refresh?: boolean } = {},
  ) => {
    const { store, read } = await open(delivered);
    const lookAgain = lookAgainAt === undefined ? {} : { lookAgainAt };
    await recordAs(store, order, { lifecycle: lifecycleOf({ snapshot: {} }), ...lookAgain });
    return (await read({ refresh })).priority;
  };

  it.each<[string, string]>([
    ['OrderUpdate', 'event'],
    ['OrderConfirm', 'event'],
    ['Reconciliation', 'later'],
  ])('of %s is "%s"', async (name, priority) => {
    expect(await classOf([event(1, name)])).toBe(priority);
  });

  it('of a refresh is that of a person, unless a second look is due', async () => {
    expect(await classOf([], { refresh: true })).toBe('person');
    expect(await classOf([], { refresh: true, lookAgainAt: Date.now() + 3_600_000 })).toBe('person');
    expect(await classOf([], { refresh: true, lookAgainAt: Date.now() })).toBe('later');
  });
});

describe('a row that is no event to follow', () => {
  it.each([
    ['no JSON', 'not JSON'],
    ['null', 'null'],
    ['an object without a name', '{}'],
    ['an event that nothing is known of', '{"id":"9104:2","name":"OrderExploded","time":2,"subject":"order"}'],
  ])('is quarantined, and the others are read: %s', async (_, json) => {
    const { store, read, spoil } = await open([
      event(1, 'OrderCreate'),
      event(2, 'OrderUpdate'),
      event(3, 'OrderConfirm'),
    ]);
    await spoil('9104:2', json);
    expect(await read()).toMatchObject({ eventIds: ['9104:1', '9104:3'] });
    expect(await quarantinedIn(store)).toEqual({ '9104:2': 'not an event that this version follows' });
    expect(await waitingFor(store, order)).toEqual(['9104:1', '9104:3']);
  });

  it('leaves nothing to do if it is alone', async () => {
    const { store, read, spoil } = await open([event(1, 'OrderCreate')]);
    await takeKeys(store);
    await spoil('9104:1', 'not JSON');
    expect(await read()).toEqual({ eventIds: [], plan: undefined, traces: [] });
    expect(await dueSteps(store)).toEqual({ [subjectKey(order)]: 'recorded' });
  });

  it('does not hide events behind many like it', async () => {
    const strange = Array.from({ length: 500 }, (_, index) => event(index, 'OrderExploded'));
    const { store, read } = await open([...strange, event(500, 'OrderCreate')]);
    expect(await read()).toMatchObject({ eventIds: ['9104:500'] });
    expect(Object.keys(await quarantinedIn(store))).toHaveLength(500);
  });
});

describe('the plan of a batch', () => {
  it('asks for each operation once, and for each user', async () => {
    const plan = await planFor([
      event(1, 'OrderUpdate', { userId: '2108' }),
      event(2, 'OrderCancel', { userId: '2109' }),
      event(3, 'OrderUpdate', { userId: '2108' }),
    ]);
    expect(plan).toEqual({ operations: ['getOrder', 'getUser'], userIds: ['2108', '2109'], isNew: true });
  });

  it('needs the last modifier if an event with a user names none', async () => {
    expect(await planFor([event(1, 'OrderUpdate', { userId: '2108' }), event(2, 'OrderCancel')])).toEqual({
      operations: ['getOrder', 'getUser'],
      userIds: ['2108'],
      needsModifier: true,
      isNew: true,
    });
    expect(await planFor([event(1, 'OrderUpdate', { userId: '2108' }), event(2, 'OrderConfirm')])).toEqual({
      operations: ['getOrder', 'getUser'],
      userIds: ['2108'],
      isNew: true,
    });
  });

  it('asks for no user of an event that is announced without one', async () => {
    expect(await planFor([event(1, 'OrderConfirm', { userId: '2108' })])).toEqual({
      operations: ['getOrder'],
      userIds: [],
      isNew: true,
    });
  });

  it('names the newest pick job', async () => {
    const plan = await planFor([
      event(1, 'OrderPickJobDone', { pickJobId: '71' }),
      event(2, 'OrderPickJobDone', { pickJobId: '72' }),
      event(3, 'OrderUpdate'),
    ]);
    expect(plan).toMatchObject({ pickJobId: '72', operations: ['getOrdersPicklist', 'getUser', 'getOrder'] });
  });

  it('asks for the lines that events are about, and for the whole of an order that is not known yet', async () => {
    const delivered = [7, 8, 7].map((line, index) => event(index, 'OrderItemPick', { orderItemId: String(line) }));
    const { store, read } = await open(delivered);
    expect((await read()).plan).toEqual({
      operations: ['getOrder', 'getOrdersItem'],
      userIds: [],
      orderItemIds: ['7', '8'],
      isNew: true,
      isOwnOptional: true,
    });
    await recordAs(store, order, { lifecycle: lifecycleOf({ snapshot: { status: 'open' } }) });
    expect((await read()).plan).toMatchObject({ operations: ['getOrdersItem'], orderItemIds: ['7', '8'] });
  });

  it('asks for the subject for a refresh, though nothing waits', async () => {
    const { read } = await open([]);
    expect(await read({ refresh: true })).toEqual({
      traces: [],
      eventIds: [],
      plan: { operations: ['getOrder'], userIds: [] },
      priority: 'person',
      refresh: true,
    });
    const delivered = await open([event(1, 'OrderPickJobDone', { pickJobId: '71' })]);
    expect((await delivered.read({ refresh: true })).plan?.operations).toEqual([
      'getOrder',
      'getOrdersPicklist',
      'getUser',
    ]);
  });

  it('has nothing to refresh if no operation returns the subject', async () => {
    const { read } = await open([], hold);
    expect((await read({ refresh: true })).plan).toBeUndefined();
  });

  it('knows that the warehouse no longer lists the subject', async () => {
    expect(await planFor([event(1, 'Reconciliation', { missing: true })])).toEqual({
      operations: ['getOrder'],
      userIds: [],
      missing: true,
    });
  });

  it('knows whether the subject is new, so that it may not be found yet', async () => {
    const { store, read } = await open([event(1, 'OrderCreate'), event(2, 'OrderUpdate')]);
    expect((await read()).plan).toMatchObject({ isNew: true });
    await recordAs(store, order, { lifecycle: lifecycleOf({ snapshot: { status: 'open' } }) });
    expect((await read()).plan).not.toHaveProperty('isNew');
    expect(await planFor([event(1, 'OrderCreate'), event(2, 'OrderDeleted')])).not.toHaveProperty('isNew');
  });

  it('is undefined if there is nothing to fetch', async () => {
    expect(await planFor([event(1, 'OrderPickJobUserAssigned')])).toBeUndefined();
  });
});

describe('the customer of a batch', () => {
  const stock = { tenant: '9104', kind: 'stock', id: '12.7001.' } as const;
  const changed = (n: number, customerId: string) =>
    event(n, 'InventorySummaryUpdate', { shown: { levels: { onHand: n }, customerId } });

  it('is fetched if a message is the first to name it', async () => {
    const { store, read } = await open([changed(1, '418')], stock);
    expect((await read()).plan).toMatchObject({ operations: [], userIds: [], customerId: '418' });
    await recordAs(store, stock, { lifecycle: lifecycleOf({ snapshot: { customerId: '418' } }) });
    expect((await read()).plan).toBeUndefined();
    await recordAs(store, stock, { lifecycle: lifecycleOf({ snapshot: { customerId: '419' } }) });
    expect((await read()).plan).toMatchObject({ customerId: '418' });
  });

  it('is the one that the newest event names, or else the one that is known', async () => {
    const item = { tenant: '9104', kind: 'item', id: '5' } as const;
    const { store, read } = await open([event(1, 'ItemUpdate')], item);
    expect((await read()).plan).toEqual({ operations: ['getItem'], userIds: [], isNew: true });
    await recordAs(store, item, { lifecycle: lifecycleOf({ snapshot: { customerId: '419' } }) });
    expect((await read()).plan).toMatchObject({ customerId: '419' });
    await deliver(
      store,
      item,
      event(2, 'ItemUpdate', { customerId: '417' }),
      event(3, 'ItemUpdate', { customerId: '418' }),
    );
    expect((await read()).plan).toMatchObject({ customerId: '418' });
  });
});
