import { createPublicKey, sign, verify } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Announced } from './ledger.ts';
import { startStubDestination, startStubWarehouse } from './stubs.ts';

interface Answer {
  readonly publicKey: string;
  readonly readOnly: {
    readonly customerIdentifier: { readonly id: number };
    readonly lastModifiedByIdentifier: { readonly id: number };
  };
  readonly _links: Readonly<Record<string, { readonly href: string }>>;
}

async function openWarehouse() {
  const warehouse = await startStubWarehouse();
  onTestFinished(() => warehouse.close());
  return {
    ...warehouse,
    read: async (path: string) => (await (await fetch(warehouse.baseUrl + path)).json()) as Answer,
  };
}

describe('the stub warehouse', () => {
  it('publishes the key that verifies its signatures', async () => {
    const { privateKey, read } = await openWarehouse();
    const { publicKey } = await read('/events/webhook/key');
    const body = Buffer.from('a webhook');
    expect(verify('sha256', body, createPublicKey(publicKey), sign('sha256', body, privateKey))).toBe(true);
  });

  it('answers 429 to more GETs in a second than it allows', async () => {
    const { allow, baseUrl } = await openWarehouse();
    allow(2);
    const answers = await Promise.all([1, 2, 3].map((id) => fetch(`${baseUrl}/orders/${id}`)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 429]);
    await expect.poll(async () => (await fetch(`${baseUrl}/orders/4`)).status).toBe(200);
  });

  it('shows an order as of its latest step', async () => {
    const { show, read } = await openWarehouse();
    expect((await read('/orders/7')).readOnly).toMatchObject({ orderId: 7, fullyAllocated: false, isClosed: false });
    show('7', 5);
    show('7', 2);
    show('8', 1);
    expect((await read('/orders/7?detail=all')).readOnly).toMatchObject({ fullyAllocated: true, isClosed: true });
    expect((await read('/orders/8')).readOnly).toMatchObject({ fullyAllocated: true, isClosed: false });
  });

  it('shows the customer, the user and the pick job of its orders', async () => {
    const { read } = await openWarehouse();
    const { readOnly, _links } = await read('/orders/7');
    const { id } = readOnly.customerIdentifier;
    expect(await read(`/customers/${id}`)).toMatchObject({ readOnly: { customerId: id } });
    const userId = readOnly.lastModifiedByIdentifier.id;
    expect(await read(`/uiproperties/users/${userId}`)).toMatchObject({ id: userId });
    const pickJob = _links['http://api.3plCentral.com/rels/orders/pickjob'];
    expect(await read(pickJob?.href ?? 'missing')).toMatchObject({
      pickJobId: 4_400_000,
      pickList: [expect.anything()],
    });
  });

  it('lists orders by their ids as it shows each of them', async () => {
    const { show, read } = await openWarehouse();
    show('8', 5);
    const page = (await read(`/orders?rql=${encodeURIComponent('readOnly.orderId=in=(7,8)')}`)) as object;
    const rows = await Promise.all(['/orders/7', '/orders/8'].map(read));
    expect(page).toMatchObject({ totalResults: 2, _embedded: { 'http://api.3plCentral.com/rels/orders/order': rows } });
  });

  it('counts GETs of resources, and neither tokens nor keys', async () => {
    const { calls, read } = await openWarehouse();
    for (const path of ['/AuthServer/api/Token', '/events/webhook/key', '/orders/7', '/customers/1']) await read(path);
    expect(calls()).toBe(2);
  });

  it('answers after its latency', async () => {
    const { setLatency, read } = await openWarehouse();
    setLatency(60);
    const startedAt = performance.now();
    await read('/orders/7');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(58);
  });
});

describe('the stub destination', () => {
  it("reports Dockline's announcements and the textbook's, and answers after its latency", async () => {
    const announced: Announced[] = [];
    const destination = await startStubDestination((one) => announced.push(one));
    onTestFinished(() => destination.close());
    const post = async (body: object) =>
      (await fetch(destination.url, { method: 'POST', body: JSON.stringify(body) })).status;
    expect(await post({ id: 'order:1:7/1/created', data: { id: '7', milestone: 'created', revision: 1 } })).toBe(204);
    destination.setLatency(60);
    const startedAt = performance.now();
    expect(await post({ orderId: '8', milestone: 'picked' })).toBe(204);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(58);
    expect(announced).toEqual([
      { orderId: '7', milestone: 'created' },
      { orderId: '8', milestone: 'picked' },
    ]);
  });
});
