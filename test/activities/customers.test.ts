import { expect, it } from 'vitest';
import { record } from '../../activities/record.ts';
import type { Retrieved } from '../../activities/retrieval.ts';
import type { Store } from '../../src/app/store.ts';
import type { SubjectRef } from '../../src/domain/catalogue/subject.ts';
import { readRecord } from '../../src/domain/kinds/record.ts';
import { NOBODY } from '../../src/domain/lifecycle/customers.ts';
import { configure } from '../store/configured.ts';
import { describeOnEither, openIn } from '../store/databases.ts';
import { hold, orderOf } from '../support/make.ts';
import { type Delivered, deliver, depsOn } from './deps.ts';

const ALDER = '418';
const BIRCH = '77';
const secretOf = (customer: string) => `only-for-${customer}`;

const order = orderOf('7');

/** Record of a customer, as JSON text. */
const recordOf = (customer: string): string =>
  JSON.stringify({ readOnly: { customerIdentifier: { id: Number(customer) } }, note: secretOf(customer) });

/** Result of a GET that returned the order of a customer. */
const found = (customerId: string): Retrieved => ({
  eventIds: [],
  snapshot: { status: 'open', customerId },
  refused: [],
  calls: [{ operation: 'getOrder', status: 200, ms: 1 }],
});

/** Result of a GET that the warehouse refused. */
const refused: Retrieved = {
  eventIds: [],
  snapshot: null,
  refused: [{ operation: 'getOrder', message: 'answered 403' }],
  calls: [{ operation: 'getOrder', status: 403, ms: 1 }],
};

const holdOf = (customerId: string, n: number): Delivered => ({
  id: `9104:${n}`,
  name: n % 2 ? 'InventoryPlaceOnHold' : 'InventoryReleaseFromHold',
  time: n,
  shown: { onHold: n % 2 === 1, customerId, referenceNumber: secretOf(customerId) },
  carriesResource: true,
  resource: recordOf(customerId),
});

const orderEvent = (n: number, customer?: string): Delivered => ({
  id: `9104:${n}`,
  name: 'OrderUpdate',
  time: n,
  ...(customer && { names: customer, carriesResource: true, resource: recordOf(customer) }),
});

describeOnEither('what is recorded', (database) => {
  async function open() {
    const store = await openIn(database);
    await configure(store, { alder: { customers: [ALDER] }, birch: { customers: [BIRCH] }, all: {} });
    const deps = depsOn(store);
    return {
      store,
      async take(subject: SubjectRef, events: readonly Delivered[], retrieved?: Retrieved) {
        const eventIds = await deliver(store, subject, ...events);
        await record(deps, { subject, known: null, eventIds, ...(retrieved && { retrieved }) });
      },
      release: (subject: SubjectRef) => record(deps, { subject, known: null, eventIds: [], release: true }),
      put: (customer: string) => store.resources.put(order.tenant, 'order', order.id, recordOf(customer), customer),
    };
  }

  /** Returns the bodies that go to a destination, in order. */
  async function bodiesFor({ db }: Store, destination: string) {
    const rows = await db
      .selectFrom('outbox')
      .innerJoin('announcements', 'id', 'announcement')
      .select('body')
      .where('destination', '=', destination)
      .orderBy('outbox.revision')
      .execute();
    return rows.map(({ body }) => Buffer.from(body).toString());
  }

  it('has the customer after each change of a batch, and shows no other what was before', async () => {
    const { store, take } = await open();
    await take(hold, [holdOf(ALDER, 1), holdOf(BIRCH, 2)]);
    const [[first, ...rest], [second, ...others]] = [
      await bodiesFor(store, 'alder'),
      await bodiesFor(store, 'birch'),
    ] as [string[], string[]];
    expect([rest, others]).toEqual([[], []]);
    expect(first).toContain(secretOf(ALDER));
    expect(first).not.toContain(secretOf(BIRCH));
    expect(second).toContain(secretOf(BIRCH));
    expect(second).not.toContain(secretOf(ALDER));
  });

  it('has no record of a message that names another customer than is known', async () => {
    const { store, take, put } = await open();
    await put(BIRCH);
    await take(order, [orderEvent(1)], found(BIRCH));
    await take(order, [orderEvent(2, ALDER)], refused);
    const contradicted = (await bodiesFor(store, 'birch')).at(-1) ?? '';
    expect(JSON.parse(contradicted).data).toMatchObject({
      order: null,
      resourceFrom: null,
      missing: expect.arrayContaining(['order']),
    });
    expect(await bodiesFor(store, 'alder')).toEqual([]);
    expect((await bodiesFor(store, 'all')).join()).not.toContain(secretOf(ALDER));
  });

  it('loses the record of a message once the customer is known to be another', async () => {
    const { store, take, put } = await open();
    await take(order, [orderEvent(1, BIRCH)], refused);
    expect((await bodiesFor(store, 'all')).join()).toContain(secretOf(BIRCH));
    await put(ALDER);
    await take(order, [orderEvent(2)], found(ALDER));
    const [late, known] = await bodiesFor(store, 'alder');
    expect(JSON.parse(late ?? '').data).toMatchObject({ order: null, missing: expect.arrayContaining(['order']) });
    expect(late).not.toContain(secretOf(BIRCH));
    expect(known).toContain(secretOf(ALDER));
    expect(await bodiesFor(store, 'birch')).toEqual([]);
  });

  it('has no record where a message and a GET name different customers, and asks for a person until one releases it', async () => {
    const { store, take, put, release } = await open();
    const doubts = async () => {
      const row = await store.db.selectFrom('subjects').select('refused').executeTakeFirstOrThrow();
      return JSON.parse(row.refused ?? '[]').map((it: { readonly operation: string }) => it.operation);
    };
    await put(BIRCH);
    await take(order, [orderEvent(1, ALDER)], found(BIRCH));
    const [contradicted = ''] = (await bodiesFor(store, 'birch')).slice(-1);
    expect(JSON.parse(contradicted).data).toMatchObject({ order: null, missing: expect.arrayContaining(['order']) });
    expect(await bodiesFor(store, 'alder')).toEqual([]);
    expect((await bodiesFor(store, 'all')).join()).not.toContain(secretOf(ALDER));
    await take(order, [orderEvent(2, BIRCH)], found(BIRCH));
    expect((await bodiesFor(store, 'birch')).at(-1)).toContain(secretOf(BIRCH));
    expect(await doubts()).toEqual(['customers']);
    await release(order);
    expect(await doubts()).toEqual([]);
  });

  it('goes to nobody with customers if the record that was fetched names several', async () => {
    const { store, take } = await open();
    await store.resources.put(order.tenant, 'order', order.id, recordOf(BIRCH), BIRCH);
    await take(order, [orderEvent(1)], found(BIRCH));
    const before = (await bodiesFor(store, 'birch')).length;
    await store.resources.put(order.tenant, 'order', order.id, recordOf(ALDER), NOBODY);
    const { snapshot: _, ...rest } = found(BIRCH);
    await take(order, [orderEvent(2)], { ...rest, snapshot: { status: 'open' } });
    expect((await bodiesFor(store, 'birch')).length).toBe(before);
    const last = (await bodiesFor(store, 'all')).at(-1) ?? '';
    expect(JSON.parse(last).data).toMatchObject({ revision: before + 1, order: null });
  });

  it('stands nowhere on the page of the customer before if it is of a record that names several', async () => {
    const { store, take } = await open();
    const facts = { poNumber: 'PO-of-alder', carrier: 'UPS' };
    await take(order, [orderEvent(1)], {
      ...found(ALDER),
      snapshot: { status: 'open', customerId: ALDER, referenceNumber: 'REF-of-alder' },
      facts,
    });
    const before = await bodiesFor(store, 'alder');
    const record = { readOnly: { orderId: 7, status: 1, customerIdentifier: { id: 418 } }, customerId: 77 };
    const others = { referenceNum: 'theirs', poNum: 'theirs', routingInfo: { carrier: 'theirs' } };
    const { snapshot, facts: read, disputed } = readRecord('order', { ...record, ...others });
    await store.resources.put(order.tenant, 'order', order.id, JSON.stringify({ ...record, ...others }));
    await take(order, [orderEvent(2)], {
      ...found(ALDER),
      snapshot,
      facts: read,
      ...(disputed && { isDisputed: true as const }),
    });
    const row = await store.db.selectFrom('subjects').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ customer_id: ALDER, reference_number: 'REF-of-alder', stage: 'confirmed' });
    expect(JSON.parse(row.facts ?? '{}')).toMatchObject(facts);
    const terms = await store.db.selectFrom('search_terms').select('term').execute();
    expect(JSON.stringify([row, terms])).not.toContain('theirs');
    expect(await bodiesFor(store, 'alder')).toEqual(before);
  });

  it('has of a user, a customer and a pick list what is of its own customer', async () => {
    const { store, take, put } = await open();
    await put(ALDER);
    const theirs = { customerId: Number(BIRCH), note: secretOf(BIRCH) };
    const own = { customerId: Number(ALDER), note: secretOf(ALDER) };
    await store.resources.put('9104', 'user', '2108', JSON.stringify({ userId: 2108, rows: [own, theirs] }));
    await store.resources.put('9104', 'pickList', '900', JSON.stringify({ pickJobId: 900, rows: [own, theirs] }));
    await store.resources.put('9104', 'customer', ALDER, JSON.stringify({ ...theirs, readOnly: { customerId: 418 } }));
    const event = { name: 'OrderPickJobDone', userId: '2108', pickJobId: '900' };
    await take(order, [{ ...orderEvent(1), ...event }], found(ALDER));
    const body = (await bodiesFor(store, 'alder')).at(-1) ?? '';
    expect(JSON.parse(body).data).toMatchObject({ user: { rows: [own] }, pickList: { rows: [own] }, customer: null });
    expect(body).not.toContain(secretOf(BIRCH));
  });

  it('of a message that names several customers stays nobody’s once the customer is known', async () => {
    const { store, take } = await open();
    const { customerId: _, ...shown } = holdOf(BIRCH, 1).shown ?? {};
    await take(hold, [{ ...holdOf(BIRCH, 1), shown, disputed: true }]);
    await take(hold, [holdOf(ALDER, 2)]);
    expect((await bodiesFor(store, 'all')).length).toBe(2);
    expect((await bodiesFor(store, 'alder')).join()).toContain(secretOf(ALDER));
    expect((await bodiesFor(store, 'alder')).join()).not.toContain(secretOf(BIRCH));
  });

  it('keeps the record of a message once the customer is known to be the one that it names', async () => {
    const { store, take, put } = await open();
    await take(order, [orderEvent(1, BIRCH)], refused);
    await put(BIRCH);
    await take(order, [orderEvent(2)], found(BIRCH));
    const bodies = await bodiesFor(store, 'birch');
    expect(bodies.length).toBeGreaterThan(1);
    for (const body of bodies) expect(body).toContain(secretOf(BIRCH));
  });

  it('has no earlier record of another customer', async () => {
    const { store, take, put } = await open();
    await put(BIRCH);
    await take(order, [orderEvent(1)], found(ALDER));
    expect((await bodiesFor(store, 'alder')).join()).not.toContain(secretOf(BIRCH));
  });

  it('gives deliveries the customer of their own time, and none to what contradicts it', async () => {
    const { store, take } = await open();
    await take(order, [orderEvent(1, BIRCH), orderEvent(2)], found(BIRCH));
    await take(order, [orderEvent(3, BIRCH), orderEvent(4, ALDER), orderEvent(5)], found(ALDER));
    const rows = await store.db.selectFrom('inbox').select('customer_id').orderBy('id').execute();
    expect(rows.map(({ customer_id }) => customer_id)).toEqual([BIRCH, BIRCH, null, ALDER, ALDER]);
  });

  it('gives deliveries that name nobody the customer of the one before', async () => {
    const { store, take } = await open();
    const { names: _, ...unnamed } = holdOf(ALDER, 2);
    await take(hold, [holdOf(ALDER, 1), { ...unnamed, shown: { onHold: false } }, holdOf(BIRCH, 3)]);
    const rows = await store.db.selectFrom('inbox').select('customer_id').orderBy('id').execute();
    expect(rows.map(({ customer_id }) => customer_id)).toEqual([ALDER, ALDER, BIRCH]);
  });

  it('is of whom the last message named that names somebody', async () => {
    const { store, take } = await open();
    await take(hold, [holdOf(BIRCH, 1)]);
    const { customerId: _, ...shown } = holdOf(ALDER, 3).shown ?? {};
    await take(hold, [holdOf(ALDER, 2), { ...holdOf(ALDER, 3), shown }]);
    const subject = await store.db.selectFrom('subjects').select('customer_id').executeTakeFirstOrThrow();
    expect(subject.customer_id).toBe(ALDER);
    expect((await bodiesFor(store, 'birch')).join()).not.toContain(secretOf(ALDER));
  });

  it('forgets the facts of the customer before', async () => {
    const { store, take } = await open();
    await take(hold, [
      { ...holdOf(ALDER, 1), shown: { onHold: true, customerId: ALDER, customerName: secretOf(ALDER) } },
    ]);
    await take(hold, [holdOf(BIRCH, 2)]);
    const { facts } = await store.db.selectFrom('subjects').select('facts').executeTakeFirstOrThrow();
    expect(facts ?? '').not.toContain(secretOf(ALDER));
  });

  it('of a message that names two customers is nobody’s', async () => {
    const { store, take } = await open();
    await take(hold, [holdOf(ALDER, 1)]);
    const { customerId: _, ...shown } = holdOf(BIRCH, 2).shown ?? {};
    await take(hold, [{ ...holdOf(BIRCH, 2), shown, disputed: true }]);
    expect((await bodiesFor(store, 'alder')).length).toBe(1);
    expect(await bodiesFor(store, 'birch')).toEqual([]);
    expect((await bodiesFor(store, 'all')).length).toBe(2);
  });
});
