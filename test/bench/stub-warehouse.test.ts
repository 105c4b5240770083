import { createPublicKey, sign, verify } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startStubWarehouse } from './stub-warehouse.ts';

interface Answer {
  readonly publicKey: string;
  readonly readOnly: {
    readonly customerIdentifier: { readonly id: number };
    readonly lastModifiedByIdentifier: { readonly id: number };
  };
  readonly _links: Readonly<Record<string, { readonly href: string }>>;
}

async function open() {
  const warehouse = await startStubWarehouse();
  onTestFinished(() => warehouse.close());
  const fetchFrom = (path: string, init?: RequestInit) => fetch(warehouse.baseUrl + path, init);
  return { ...warehouse, fetchFrom, read: async (path: string) => (await (await fetchFrom(path)).json()) as Answer };
}

describe('the stub warehouse', () => {
  it('gives a token to whoever asks', async () => {
    const { fetchFrom } = await open();
    const response = await fetchFrom('/AuthServer/api/Token', { method: 'POST', body: '{}' });
    expect(await response.json()).toEqual({ access_token: expect.any(String), expires_in: expect.any(Number) });
  });

  it('shows the key that verifies what is signed with its own', async () => {
    const { privateKey, read } = await open();
    const { publicKey } = await read('/events/webhook/key');
    const body = Buffer.from('a webhook');
    expect(verify('sha256', body, createPublicKey(publicKey), sign('sha256', body, privateKey))).toBe(true);
  });

  it('shows an order as it was last shown, and never as it was before', async () => {
    const { show, read } = await open();
    expect((await read('/orders/7')).readOnly).toMatchObject({ orderId: 7, fullyAllocated: false, isClosed: false });
    show('7', 5);
    show('7', 2);
    show('8', 1);
    expect((await read('/orders/7?detail=all')).readOnly).toMatchObject({ fullyAllocated: true, isClosed: true });
    expect((await read('/orders/8')).readOnly).toMatchObject({ fullyAllocated: true, isClosed: false });
  });

  it('shows the customer, the user and the pick job that its orders name', async () => {
    const { read } = await open();
    const { readOnly, _links } = await read('/orders/7');
    const { id } = readOnly.customerIdentifier;
    expect(await read(`/customers/${id}`)).toMatchObject({ readOnly: { customerId: id } });
    const userId = readOnly.lastModifiedByIdentifier.id;
    expect(await read(`/uiproperties/users/${userId}`)).toMatchObject({ id: userId });
    const pickJob = _links['http://api.3plCentral.com/rels/orders/pickjob'];
    expect(await read(pickJob?.href ?? 'missing')).toMatchObject({ pickJobId: 7, pickList: [expect.anything()] });
  });

  it('counts what is read of resources, and neither tokens nor keys', async () => {
    const { calls, read } = await open();
    for (const path of ['/AuthServer/api/Token', '/events/webhook/key', '/orders/7', '/customers/1']) await read(path);
    expect(calls()).toBe(2);
  });

  it('answers 429 with retry-after beyond its rate, and takes calls again a second later', async () => {
    const { behave, calls, refused, fetchFrom } = await open();
    behave({ perSecond: 2 });
    const answers = await Promise.all([1, 2, 3].map((id) => fetchFrom(`/orders/${id}`)));
    const late = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(late.map(({ headers }) => headers.get('retry-after'))).toEqual(['1']);
    expect([calls(), refused()]).toEqual([3, 1]);
    await expect.poll(async () => (await fetchFrom('/orders/4')).status, { interval: 100 }).toBe(200);
  });

  it('answers after its latency', async () => {
    const { behave, fetchFrom } = await open();
    behave({ latencyMs: 60 });
    const startedAt = performance.now();
    expect((await fetchFrom('/orders/7')).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(58);
  });
});
