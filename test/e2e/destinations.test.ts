import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { DestinationFilter } from '../../src/domain/routing.ts';
import { type Receiver, startReceiver } from '../../src/sandbox/receiver/receiver.ts';
import { startSystem } from '../support/system.ts';

const secret = `whsec_${'c2VjcmV0'.repeat(4)}`;

/** Customers of the simulated warehouse. */
const ALDER = 418;
const BRIGHT = 419;

/** Starts a receiver for a destination with a name and a filter; it closes before the system. */
async function openNamed(name: string, filter: DestinationFilter = {}) {
  const receiver = await startReceiver({ port: 0, secret });
  return { receiver, settings: { name, url: receiver.url, secret: [secret], ...filter } };
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
    const hanging = createServer(() => {});
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    const { port } = hanging.address() as AddressInfo;
    const well = await openNamed('well');
    const settings = { name: 'hanging', url: `http://127.0.0.1:${port}/`, secret: [secret] };
    const { simulator, view } = await startWith([{ ...well, settings }, well]);
    onTestFinished(() => {
      hanging.closeAllConnections();
      hanging.close();
    });
    const id = simulator.createOrder();
    const names = ['OrderCreate', 'OrderFullyAllocated', 'OrderPickJobDone', 'OrderPackComplete'] as const;
    for (const [index, name] of names.entries()) {
      await simulator.emit(id, name);
      await expect.poll(() => gotBy(well.receiver, id).length).toBe(index + 1);
    }
    expect((await view(id)).waiting.announcements).toBe(names.length);
  });
});
