import { expect, it } from 'vitest';
import { toEntry } from '../../src/ingress/message/delivery.ts';
import { openAdmin } from '../admin/open-admin.ts';
import { record } from '../destinations/record.ts';
import { describeOnEither, openIn } from '../store/databases.ts';
import { recordAs } from '../store/recordings.ts';
import { lifecycleAt, orderOf } from '../support/make.ts';

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

  it('is found from the moment its webhook is accepted', async () => {
    const { found } = await open();
    const row = {
      id: '316266606',
      revision: 0,
      referenceNumber: 'OR316266606X',
      facts: { poNumber: 'Ütopia "316266606"' },
      createdAt: new Date(at).toISOString(),
    };
    for (const q of [
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
    ])
      expect([q, ...(await found(q))]).toMatchObject([q, row]);
  });

  it('has a page, and is shown to nobody who is limited to a customer, since whose it is was not judged', async () => {
    const { get, found } = await open();
    const { status, body } = await get('/subjects/9104/order/316266606');
    expect([status, body.referenceNumber, body.webhooks.length]).toEqual([200, 'OR316266606X', 1]);
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

describeOnEither('what is found', (database) => {
  const open = async () => {
    const store = await openIn(database);
    const customer = (customerId: string, customerName: string) => ({ snapshot: { customerId, customerName } });
    const closing = { closing: { milestone: 'confirmed', time: at, eventId: null } } as const;
    for (const id of ['1', '2', '3', '4']) {
      const registers = id === '2' ? {} : closing;
      await record(store, `order:9104:${id}`, {
        ...{ ...customer('420', 'Cobalt Cycling'), registers, stageSince: Number(id) },
      });
    }
    await record(store, 'order:9104:5', customer('418', 'Alder Tea'));
    const facts = { customerName: 'Quay Salt', skus: ['COBALT-7'] };
    await recordAs(store, orderOf('6'), { lifecycle: lifecycleAt(1, customer('7', 'Quay Salt')), facts });
    const { get, url } = await openAdmin({ store });
    const idsOf = async (path: string) => (await get(path)).body.items.map(({ id }: { readonly id: string }) => id);
    return { store, idsOf, textOf: async (path: string) => await (await fetch(`${url}/board${path}`)).text() };
  };

  it('begins with what is open, then the newest, and is cut only there', async () => {
    const { idsOf } = await open();
    expect(await idsOf('/search?q=cycling')).toEqual(['2', '4', '3', '1']);
    expect(await idsOf('/search?q=cycling&limit=2')).toEqual(['2', '4']);
    expect(await idsOf(`/search?q=${encodeURIComponent('“Cycling”')}`)).toHaveLength(4);
    // What was named comes first, also if it is closed.
    expect((await idsOf('/search?q=1'))[0]).toBe('1');
  });

  it('may be named as people paste it, by its last digits too, and nothing else is', async () => {
    const { store, idsOf } = await open();
    await record(store, 'order:9104:316266578', { snapshot: { referenceNumber: 'PO-316266578' } });
    const found = async (q: string) => await idsOf(`/search?q=${encodeURIComponent(q)}`);
    for (const q of ['order:9104:316266578/3/picked', '266578', 'PO-316266578', 'po-3'])
      expect([q, ...(await found(q))]).toEqual([q, '316266578']);
    for (const q of ['O-31', '%', '_', "' or 1=1 --", 'Order']) expect([q, ...(await found(q))]).toEqual([q]);
  });

  it('by a word of a city finds all that are sent there', async () => {
    const { store, idsOf } = await open();
    for (const id of Array.from({ length: 60 }, (_, n) => `${500 + n}`))
      await recordAs(store, orderOf(id), { facts: { city: 'New York' }, lifecycle: lifecycleAt(1) });
    expect(await idsOf('/search?q=york')).toHaveLength(60);
  });

  it('by a filter may have a name of a customer, and the page says whose nothing is', async () => {
    const { idsOf, textOf } = await open();
    expect((await idsOf('/subjects?kind=order&customer=Cobalt')).sort()).toEqual(['1', '2', '3', '4']);
    expect(await idsOf('/subjects?kind=order&customer=cycl&open=true')).toEqual(['2']);
    expect(await idsOf('/subjects?kind=order&customer=420')).toHaveLength(4);
    for (const nobody of ['cob%25lt', '8', 'COBALT-7']) expect(await idsOf(`/subjects?customer=${nobody}`)).toEqual([]);
    expect((await idsOf('/announcements?customer=Alder')).every((id: string) => id.startsWith('order:9104:5'))).toBe(
      true,
    );
    expect(await idsOf('/webhooks?customer=Alder')).toEqual([]);
    expect(await textOf('/subjects?customer=Quartz')).toContain('No open orders of customer “Quartz”.');
  });
});
