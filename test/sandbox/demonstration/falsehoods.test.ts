import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findFalsehoods } from '../../../sandbox/demonstration/falsehoods.ts';
import { startReceiver } from '../../../sandbox/receiver/receiver.ts';
import type { SimulatedEvent } from '../../../sandbox/simulator/warehouse.ts';
import { secret } from '../../destinations/announcements/announcements.ts';
import { get, newToken, openDeliveries } from '../simulator/open.ts';

type Data = Readonly<Record<string, unknown>>;

/** Starts a simulator and a receiver; `announce` sends the receiver an announcement of an event, signed as by another implementation. */
async function open(options: Parameters<typeof openDeliveries>[0] = {}) {
  const { simulator } = await openDeliveries({ types: ['Order', 'Inventory Hold'], ...options });
  const receiver = await startReceiver({ port: 0, secret });
  onTestFinished(() => receiver.close());
  let sequence = 0;
  const announce = async (event: SimulatedEvent, data: Data) => {
    sequence += 1;
    const { kind, tenant, id } = event.subject;
    const now = new Date();
    const announcementId = `${kind}:${tenant}:${id}/${sequence}/${data.milestone}`;
    const time = new Date(event.time).toISOString();
    const body = JSON.stringify({
      id: announcementId,
      source: `/dockline/${tenant}`,
      subject: `${kind}s/${id}`,
      sequence,
      time,
      type: `dockline.${kind}.${data.milestone}`,
      data: {
        previous: null,
        kind,
        id,
        late: false,
        inferred: false,
        customer: null,
        user: null,
        stage: 'created',
        event: { id: event.id, name: event.name, time },
        ...data,
      },
    });
    const headers = {
      'content-type': 'application/cloudevents+json',
      'webhook-id': announcementId,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(announcementId, now, body),
    };
    return (await fetch(receiver.url, { method: 'POST', headers, body })).status;
  };
  const bodyOf = async (path: string) => (await get(simulator, path)).body;
  return { simulator, receiver, announce, bodyOf, falsehoods: () => findFalsehoods({ simulator, receiver }) };
}

/** Opens an order that is fully allocated, with all that a true announcement of it says. */
async function openOrder() {
  const opened = await open();
  const { simulator, bodyOf } = opened;
  const id = simulator.createOrder({ customerId: 418 });
  await simulator.emit(id, 'OrderCreate');
  const event = await simulator.emit(id, 'OrderFullyAllocated');
  await simulator.emit(simulator.createOrder({ customerId: 419 }), 'OrderCreate');
  const truth: Data = {
    milestone: 'fullyAllocated',
    stage: 'fullyAllocated',
    order: await bodyOf(`/orders/${id}`),
    customer: await bodyOf('/customers/418'),
    snapshot: { status: 'open', fullyAllocated: true, pickDone: false, customerId: '418', poNumber: `PO${id}` },
  };
  return { ...opened, id, event, truth };
}

const other = (id: string) => String(Number(id) + 1);

describe('an announcement', () => {
  it('that says what the book says is not false', async () => {
    const { announce, event, truth, falsehoods } = await openOrder();
    expect(await announce(event, truth)).toBe(204);
    expect(falsehoods()).toEqual([]);
  });

  it.each<[string, Data, string]>([
    ['a picking that has not happened', { snapshot: { pickDone: true } }, 'it never was {"pickDone":true}'],
    [
      'facts of two times in one',
      { snapshot: { fullyAllocated: true, status: 'closed' } },
      'it never was {"fullyAllocated":true,"status":"closed"}',
    ],
    ['a text that its record has not', { snapshot: { poNumber: 'PO1' } }, 'it never was {"poNumber":"PO1"}'],
    ['a stage that was not reached', { stage: 'packed' }, 'it was never packed'],
    [
      'an inferred milestone that was not reached',
      { milestone: 'picked', event: null, inferred: true },
      'it has not happened',
    ],
    [
      'an event of another id',
      { event: { id: '9104:1', name: 'OrderFullyAllocated', time: '2026-02-11T10:30:00.000Z' } },
      'the event 9104:1 OrderFullyAllocated is not in the book',
    ],
    ['a milestone that is not that of its event', { milestone: 'updated' }, 'its event is fullyAllocated'],
    ['an error as its record', { order: { Message: 'An error has occurred.' } }, 'its order is that of nothing'],
    ['text as its record', { order: '<html>' }, 'its order is that of nothing'],
    ['no record', { order: null }, 'its order is missing'],
    ['no record, and says so', { order: null, missing: ['order'] }, 'its order is missing'],
    ['no customer, though it knows which', { customer: null }, 'its customer is missing'],
    ['an error as its customer', { customer: {} }, 'its customer is that of nothing'],
    ['a user who did not touch it', { user: { id: 7 } }, 'its user is that of 7'],
    ['a pick list of another', { pickList: { readOnly: { pickJobId: 5 } } }, 'its pickList is that of 5'],
    ['no user, though nothing failed', { missing: ['user'] }, 'its user is missing'],
  ])('with %s is false', async (_, lie, sentence) => {
    const { announce, event, truth, falsehoods } = await openOrder();
    await announce(event, { ...truth, ...lie });
    expect(falsehoods().map((falsehood) => falsehood.replace(/^\S+: /, ''))).toEqual([sentence]);
  });

  it('with the record of another order or customer is false', async () => {
    const { announce, bodyOf, id, event, truth, falsehoods } = await openOrder();
    const order = await bodyOf(`/orders/${other(id)}`);
    await announce(event, { ...truth, order, customer: await bodyOf('/customers/419') });
    expect(falsehoods().map((falsehood) => falsehood.replace(/^\S+: /, ''))).toEqual([
      `its order is that of ${other(id)}`,
      'its customer is that of 419',
    ]);
  });

  it('that came before what it says had happened is false for ever', async () => {
    const { simulator, announce, id, event, truth, falsehoods } = await openOrder();
    await announce(event, { ...truth, snapshot: { pickDone: true } });
    const at = Date.now();
    await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(at);
    await simulator.emit(id, 'OrderPickJobDone');
    expect(falsehoods()).toHaveLength(1);
    await announce(event, { ...truth, snapshot: { pickDone: true } });
    expect(falsehoods()).toHaveLength(1);
  });

  it('may lack a part that the warehouse did not return', async () => {
    const { simulator, announce, bodyOf, event, truth, falsehoods } = await openOrder();
    simulator.setFaults({ errorIn200: 1 });
    await bodyOf('/customers/418');
    await announce(event, { ...truth, customer: null, missing: ['customer'] });
    expect(falsehoods()).toEqual([]);
    await announce(event, { ...truth, order: null, missing: ['order'] });
    expect(falsehoods()).toEqual([expect.stringContaining('its order is missing')]);
  });

  it('may lack its record if the receiver did not take it, or the credential may not read it', async () => {
    const { simulator, receiver, announce, event, truth, falsehoods } = await openOrder();
    receiver.setLies({ limitBytes: 10 });
    expect(await announce(event, { ...truth, order: null })).toBe(413);
    receiver.setLies({ limitBytes: 100_000 });
    await announce(event, { ...truth, order: null });
    expect(falsehoods()).toHaveLength(1);
    simulator.setFaults({ forbidden: ['getOrder'] });
    expect(falsehoods()).toEqual([]);
  });

  it('of a hold may lack its record until a message with it was accepted', async () => {
    const { simulator, announce, falsehoods } = await open({ manners: { overlapping: true } });
    const shown = await simulator.emit(simulator.create('hold', { customerId: 418 }), 'InventoryPlaceOnHold');
    const poor = await simulator.emit(simulator.create('hold', { customerId: 419 }), 'InventoryPlaceOnHold');
    const data = { milestone: 'placedOnHold', stage: 'onHold', hold: null, missing: ['hold'] };
    for (const event of [shown, poor]) await announce(event, data);
    expect(falsehoods()).toEqual([`hold:9104:${shown.subject.id}/1/placedOnHold: its hold is missing`]);
  });

  it.each([
    ['adjustment', 'AdjustmentCreate'],
    ['assembly', 'AssemblyCreate'],
  ] as const)('of a bare %s is true with its record, and false with that of another', async (kind, name) => {
    const { simulator, announce, falsehoods } = await open({
      manners: { bareTransactions: true },
      types: ['Adjustment', 'Assembly'],
    });
    const event = await simulator.emit(simulator.create(kind), name);
    const data = { milestone: 'created', customer: undefined };
    await announce(event, { ...data, [kind]: { movementId: Number(event.subject.id) } });
    expect(falsehoods()).toEqual([]);
    await announce(event, { ...data, [kind]: { movementId: 7 } });
    expect(falsehoods()).toEqual([expect.stringContaining(`its ${kind} is that of 7`)]);
  });

  it('of an event without an id is that of the same name and time', async () => {
    const { simulator, announce, bodyOf, falsehoods } = await open({ manners: { unsetEventIds: 1 } });
    const event = await simulator.emit(simulator.createOrder(), 'OrderCreate');
    const order = await bodyOf(`/orders/${event.subject.id}`);
    await announce({ ...event, id: 'sha256:0' }, { milestone: 'created', order });
    expect(falsehoods()).toEqual([]);
    await announce({ ...event, id: 'sha256:0', time: event.time + 1 }, { milestone: 'created', order });
    expect(falsehoods()).toHaveLength(1);
  });
});

describe('a token that was brought to another host', () => {
  it('is false', async () => {
    const { simulator, bodyOf, falsehoods } = await open();
    simulator.setFaults({ redirects: 1 });
    // The fetch of Node drops the token of a redirect to another origin, so that it is sent by hand.
    await bodyOf('/customers/418');
    expect(falsehoods()).toEqual([]);
    const { headers } = await fetch(`${simulator.baseUrl}/customers/418`, {
      redirect: 'manual',
      headers: { authorization: `Bearer ${await newToken(simulator)}` },
    });
    await fetch(String(headers.get('location')), { headers: { authorization: 'Bearer 1' } });
    expect(falsehoods()).toEqual(['1 GETs brought their token to another host']);
  });
});
