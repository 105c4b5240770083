import { createServer, type ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Receiver, startReceiver } from '../../sandbox/receiver/receiver.ts';
import type { DestinationFilter } from '../../src/domain/routing.ts';
import { listen } from '../support/listen.ts';
import { destinationOf } from '../support/make.ts';
import { startSystem } from '../support/system.ts';

const secret = `whsec_${'c2VjcmV0'.repeat(4)}`;

/** Customers of the simulated warehouse. */
const ALDER = 418;
const BRIGHT = 419;

/** Starts a receiver for a destination with a name and a filter; it closes before the system. */
async function openNamed(name: string, filter: DestinationFilter = {}) {
  const receiver = await startReceiver({ port: 0, secret });
  return { receiver, settings: destinationOf({ name, url: receiver.url, secret: [secret], ...filter }) };
}

type Named = Awaited<ReturnType<typeof openNamed>>;

/** Starts a system whose only tenant has these destinations. */
async function startWith(named: readonly Named[]) {
  const destinations = named.map(({ settings }) => settings);
  const system = await startSystem({ tenants: [{ settings: { destinations } }] });
  for (const { receiver } of named) onTestFinished(() => receiver.close());
  return system;
}

/** Returns what a receiver got, as revision, milestone and what it got before. */
const gotBy = ({ received }: Receiver, id: string) =>
  received()
    .filter(({ subject }) => subject === `orders/${id}`)
    .map(({ sequence, type, previous }) => [sequence, type.split('.').at(-1), previous]);

describe('several destinations', () => {
  it('get what their filters want, in order, each with what it got before', async () => {
    const all = await openNamed('all');
    const shipping = await openNamed('shipping', { kinds: ['order'], types: ['order.packed', '*.confirmed'] });
    const alder = await openNamed('alder', { customers: [String(ALDER)] });
    const { simulator } = await startWith([all, shipping, alder]);
    const tea = simulator.createOrder({ customerId: ALDER });
    const audio = simulator.createOrder({ customerId: BRIGHT });
    for (const id of [tea, audio])
      for (const name of ['OrderCreate', 'OrderPackComplete', 'OrderConfirm'] as const) {
        const count = all.receiver.received().length;
        await simulator.emit(id, name);
        await expect.poll(() => all.receiver.received().length).toBeGreaterThan(count);
      }
    await expect.poll(() => gotBy(shipping.receiver, audio).length).toBe(2);
    await expect.poll(() => gotBy(alder.receiver, tea).length).toBe(3);
    const whole = [
      [1, 'created', null],
      [2, 'packed', 1],
      [3, 'confirmed', 2],
    ];
    expect([tea, audio].map((id) => gotBy(all.receiver, id))).toEqual([whole, whole]);
    expect(gotBy(alder.receiver, tea)).toEqual(whole);
    expect(gotBy(alder.receiver, audio)).toEqual([]);
    expect(gotBy(shipping.receiver, tea)).toEqual([
      [2, 'packed', null],
      [3, 'confirmed', 2],
    ]);
    for (const { receiver } of [all, shipping, alder])
      expect(receiver.tally()).toMatchObject({ duplicates: 0, outOfOrder: 0 });
  });

  it('do not wait for one that hangs, of the same subject', async () => {
    const held: ServerResponse[] = [];
    const port = await listen(createServer((_, response) => void held.push(response)));
    const well = await openNamed('well');
    const settings = destinationOf({ name: 'hanging', url: `http://127.0.0.1:${port}/`, secret: [secret] });
    const { simulator, view } = await startWith([{ ...well, settings }, well]);
    const id = simulator.createOrder();
    const names = ['OrderCreate', 'OrderFullyAllocated', 'OrderPickJobDone', 'OrderPackComplete'] as const;
    for (const [index, name] of names.entries()) {
      await simulator.emit(id, name);
      await expect.poll(() => gotBy(well.receiver, id).length).toBe(index + 1);
    }
    expect((await view(id)).waiting.announcements).toBe(names.length);
    // The system waits for an exchange that is under way before it closes.
    for (let answered = 0; answered < names.length; answered += 1) {
      await expect.poll(() => held.length).toBeGreaterThan(answered);
      held[answered]?.writeHead(204).end();
    }
  });
});

describe('a destination that is added', () => {
  const env = { DESTINATION_KEYS: `first:${Buffer.alloc(32, 1).toString('base64')}` };

  it('gets what is recorded from then on; while it is paused that waits, and comes in order once it is resumed', async () => {
    const added = await startReceiver({ port: 0, secret });
    onTestFinished(() => added.close());
    const { simulator, service, announced, tenants, view } = await startSystem({ tenants: [{}], env });
    const tenant = tenants[0]?.tenant;
    const ask = async (action: string, body?: object) => {
      const response = await fetch(`${service().admin.url}/destinations/${tenant}/erp/${action}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body ?? {}),
      });
      expect(response.ok, await response.text()).toBe(true);
    };
    const id = simulator.createOrder();
    await simulator.emit(id, 'OrderCreate');
    await expect.poll(() => announced(id)).toEqual(['1/created']);

    await ask('add', { url: added.url, secret });
    await simulator.emit(id, 'OrderFullyAllocated');
    await expect.poll(() => gotBy(added, id)).toEqual([[2, 'fullyAllocated', null]]);

    await ask('pause');
    await simulator.emit(id, 'OrderPickJobDone');
    await simulator.emit(id, 'OrderPackComplete');
    await expect.poll(() => announced(id).length).toBe(4);
    await expect.poll(async () => (await view(id)).waiting.announcements).toBe(0);
    expect(gotBy(added, id)).toHaveLength(1);
    await ask('resume');
    await expect
      .poll(() => gotBy(added, id))
      .toEqual([
        [2, 'fullyAllocated', null],
        [3, 'picked', 2],
        [4, 'packed', 3],
      ]);
    expect(added.tally()).toEqual({ received: 3, duplicates: 0, outOfOrder: 0 });
  });
});

describe('announcements that are sent again', () => {
  const env = { DESTINATION_KEYS: `first:${Buffer.alloc(32, 1).toString('base64')}` };

  it('reach a destination that was added later, and one that has acknowledged them, in order and marked', async () => {
    const added = await startReceiver({ port: 0, secret });
    onTestFinished(() => added.close());
    const { simulator, receiver, service, announced, tenants } = await startSystem({ tenants: [{}], env });
    const tenant = tenants[0]?.tenant;
    const { url } = service().admin;
    const post = async (path: string, body: object = {}) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await response.json()) as { readonly id: number; readonly total: number };
    };
    const repeat = async (filter: object) => {
      const preview = await post('/bulk', {
        action: 'replay',
        filter: { tenant, since: '2000-01-01T00:00:00Z', ...filter },
      });
      await post(`/bulk/${preview.id}/confirm`);
      const state = async () => (await (await fetch(`${url}/bulk/${preview.id}`)).json()) as { state: string };
      await expect.poll(async () => (await state()).state).toBe('done');
      return { ...preview, ...(await state()) };
    };
    const id = simulator.createOrder({ customerId: ALDER });
    for (const [index, name] of (['OrderCreate', 'OrderFullyAllocated', 'OrderPickJobDone'] as const).entries()) {
      await simulator.emit(id, name);
      await expect.poll(() => announced(id).length).toBe(index + 1);
    }
    await post(`/destinations/${tenant}/erp/add`, { url: added.url, secret, types: ['order.created', 'order.picked'] });
    expect(await repeat({ destination: 'erp' })).toMatchObject({ total: 3, done: 2 });
    await expect
      .poll(() => gotBy(added, id))
      .toEqual([
        [1, 'created', null],
        [3, 'picked', 1],
      ]);
    await simulator.emit(id, 'OrderPackComplete');
    await expect.poll(() => announced(id).length).toBe(4);

    expect(await repeat({ destination: 'default', milestone: 'created', id })).toMatchObject({ total: 1, done: 1 });
    await expect.poll(() => receiver.tally().duplicates).toBe(1);
    expect(receiver.tally()).toMatchObject({ received: 4, outOfOrder: 0 });
  });
});
