import { expect, it } from 'vitest';
import { createSummary } from '../../sandbox/demonstration/stored.ts';
import { reprocessQuarantined } from '../../src/inbox/reprocess.ts';
import { toEntry } from '../../src/ingress/message/delivery.ts';
import { describeOnEither, openIn } from '../store/databases.ts';
import { waitingKeys } from '../store/recordings.ts';
import { orderOf } from '../support/make.ts';

const options = { tenant: '9104' };
const delivery = (wmsEventId: number, eventType: string) => ({
  endpoint: 'warehouse',
  receivedAt: wmsEventId,
  body: Buffer.from(JSON.stringify({ wmsEventId, eventType, data: { OrderId: '31' } })),
});

describeOnEither('a quarantined delivery', (database) => {
  it('is ingested once it is understood, and the rest stay quarantined', async () => {
    const store = await openIn(database);
    const { inbox, subjects } = store;
    const shipped = Array.from({ length: 450 }, (_, index) => delivery(index + 1, 'OrderShipped'));
    await inbox.add([...shipped, delivery(900, 'OrderExploded')].map((row) => toEntry(row, options)));
    expect(inbox.waiting()).toBe(0);

    const aliases = { ordershipped: 'OrderConfirm' };
    const read = (row: Parameters<typeof toEntry>[0]) => toEntry(row, { ...options, aliases });
    expect(await reprocessQuarantined({ rows: inbox, read })).toBe(450);
    await expect.poll(inbox.waiting).toBe(450);
    expect(await createSummary(store).quarantined()).toEqual([
      { reason: expect.stringContaining('"OrderExploded"'), count: 1 },
    ]);
    const { events } = await subjects.load(orderOf('31'), 1);
    expect(JSON.parse(events[0]?.json ?? '')).toMatchObject({ id: '9104:1', name: 'OrderConfirm', time: 1 });

    expect(await reprocessQuarantined({ rows: inbox, read })).toBe(0);
    await expect.poll(inbox.waiting).toBe(450);
  });

  it('with several rows is ingested row by row, and a row of its own takes the key of its stock', async () => {
    const store = await openIn(database);
    const { inbox } = store;
    const stock = (facilityId: number | null) => ({ facilityId, itemIdentifier: { id: 7001 }, onHand: 1 });
    const message = { wmsEventId: 5, eventType: 'StockMoved', resource: { body: [stock(12), stock(null), stock(14)] } };
    const received = { endpoint: 'warehouse', receivedAt: 1, body: Buffer.from(JSON.stringify(message)) };
    await inbox.add([toEntry(received, options)]);

    const aliases = { stockmoved: 'InventorySummaryUpdate' };
    const reprocess = (change: (text: string) => string) =>
      reprocessQuarantined({
        rows: inbox,
        read: (row) =>
          toEntry({ ...row, body: Buffer.from(change(Buffer.from(row.body).toString())) }, { ...options, aliases }),
      });
    expect(await reprocess((text) => text)).toBe(1);
    expect(await createSummary(store).quarantined()).toEqual([
      { reason: 'no stock summary with its facility and item', count: 1 },
    ]);
    expect(await reprocess((text) => text)).toBe(0);

    expect(await reprocess((text) => text.replace('"facilityId":null', '"facilityId":13'))).toBe(1);
    expect(await createSummary(store).quarantined()).toEqual([]);
    expect(await waitingKeys(store)).toEqual([12, 14, 13].map((facility) => `stock:9104:${facility}.7001.`));
    expect(await inbox.add([toEntry(received, { ...options, aliases })])).toEqual([true]);
    expect(inbox.waiting()).toBe(3);
  });

  it('stays quarantined if nothing has changed', async () => {
    const { inbox } = await openIn(database);
    await inbox.add([toEntry(delivery(1, 'OrderShipped'), options)]);
    expect(await reprocessQuarantined({ rows: inbox, read: (row) => toEntry(row, options) })).toBe(0);
  });
});
