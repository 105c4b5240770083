import { expect, it } from 'vitest';
import { toEntry } from '../../src/ingress/message/entry.ts';
import { openAdmin } from '../admin/open-admin.ts';
import { record } from '../destinations/record.ts';
import { describeOnEither, openIn } from '../store/databases.ts';

const at = Date.UTC(2026, 1, 11, 12);

/** Webhook of an order with its record, as the endpoint stores it. */
const webhook = (orderId: number) =>
  toEntry(
    {
      endpoint: 'warehouse',
      receivedAt: at,
      body: Buffer.from(
        JSON.stringify({
          tplId: 9104,
          wmsEventId: orderId,
          eventType: 'OrderCreate',
          resource: {
            href: `/orders/${orderId}`,
            body: {
              readOnly: { orderId, customerIdentifier: { id: 418 } },
              referenceNum: `OR${orderId}X`,
              poNum: `Ütopia "${orderId}"`,
            },
          },
        }),
      ),
    },
    { tenant: '9104' },
  );

const whole = { name: 'lead', roles: ['read'], token: 'the-token-of-the-lead' } as const;
const limited = { ...whole, name: 'alder', token: 'the-token-of-alder', limits: [{ tenant: '9104', customer: '418' }] };

describeOnEither('an order of which nothing is recorded yet', (database) => {
  const open = async () => {
    const store = await openIn(database, { now: () => at });
    const { get, url } = await openAdmin({ store, tokens: [whole, limited] });
    await store.inbox.add([webhook(316266606), webhook(316266578)]);
    const as = ({ token }: typeof whole) => ({ authorization: `Bearer ${token}` });
    const found = async (q: string, token: typeof whole = whole) =>
      (await get(`/search?q=${encodeURIComponent(q)}`, as(token))).body.items;
    return { store, url, get: (path: string) => get(path, as(whole)), found };
  };

  it.each([
    '316266606',
    '3162666',
    '266606',
    'Order 316266606',
    '#316266606',
    'order:9104:316266606',
    'order:9104:316266606/3/picked',
    'or316266606',
    'Ütopia "316266606',
    '9104:316266606',
  ])('is found by %s from the moment its webhook is accepted', async (q) => {
    const { found } = await open();
    expect(await found(q)).toMatchObject([
      {
        id: '316266606',
        revision: 0,
        referenceNumber: 'OR316266606X',
        facts: { poNumber: 'Ütopia "316266606"' },
        createdAt: new Date(at).toISOString(),
      },
    ]);
  });

  it('has a page, and is shown to nobody who is limited to a customer, since whose it is was not judged', async () => {
    const { get, found } = await open();
    const { status, body } = await get('/subjects/9104/order/316266606');
    expect([status, body.referenceNumber, body.waitingWebhooks.length]).toEqual([200, 'OR316266606X', 1]);
    expect(await found('316266606', limited as never)).toEqual([]);
    expect(await found('266')).toEqual([]);
  });

  it('is found once after it is recorded, and by the second word of its customer', async () => {
    const { store, found } = await open();
    const snapshot = { referenceNumber: 'OR316266606X', customerId: '418', customerName: 'Cobalt Cycling' };
    await record(store, 'order:9104:316266606', { snapshot });
    for (const q of ['or316266606', 'Cycling', '266606'])
      expect((await found(q)).map(({ id }: { readonly id: string }) => id)).toEqual(['316266606']);
    expect(await found('cycling', limited as never)).toHaveLength(1);
  });
});
