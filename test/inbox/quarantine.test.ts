import { expect, it } from 'vitest';
import type { Store } from '../../src/app/store.ts';
import { toEntry } from '../../src/ingress/message/delivery.ts';
import { openAdmin } from '../admin/open-admin.ts';
import { describeOnEither, openIn } from '../store/databases.ts';

const at = Date.UTC(2026, 1, 11);

/** Ingests a delivery as the webhook does, `minutes` after the start. */
async function deliver({ inbox }: Store, body: string | Buffer, minutes = 0): Promise<void> {
  const received = { endpoint: 'warehouse', receivedAt: at + minutes * 60_000, body: Buffer.from(body) };
  await inbox.add([toEntry(received, { tenant: '9104' })]);
}

const message = (wmsEventId: number, eventType: string, more: object = {}) =>
  JSON.stringify({ wmsEventId, eventType, data: { OrderId: '31' }, ...more });

describeOnEither('quarantined events', (database) => {
  it('are listed with their reason and without bodies; understood events are not', async () => {
    const store = await openIn(database);
    const exploded = message(1, 'OrderExploded', { name: 'Jane' });
    await deliver(store, exploded);
    await deliver(store, message(2, 'OrderConfirm'));
    const { get } = await openAdmin({ store });
    expect((await get('/quarantine')).body).toEqual({
      items: [
        {
          id: expect.any(Number),
          eventId: '9104:1',
          endpoint: 'warehouse',
          tenant: '9104',
          code: 'unknownName',
          data: '{"name":"OrderExploded","families":["order"]}',
          reason: 'unknown event "OrderExploded" of an order',
          bytes: exploded.length,
          receivedAt: '2026-02-11T00:00:00.000Z',
        },
      ],
      next: null,
    });
  });

  it('are counted by reason', async () => {
    const store = await openIn(database);
    await deliver(store, message(1, 'OrderLost'));
    await deliver(store, message(2, 'OrderExploded'), 1);
    await deliver(store, message(3, 'OrderExploded'), 2);
    const { get } = await openAdmin({ store });
    const { items } = (await get('/quarantine')).body;
    expect((await get('/quarantine?summary=true')).body.items).toEqual([
      {
        code: 'unknownName',
        data: '{"name":"OrderExploded","families":["order"]}',
        reason: 'unknown event "OrderExploded" of an order',
        count: 2,
        firstId: items[1].id,
        firstReceivedAt: '2026-02-11T00:01:00.000Z',
        lastReceivedAt: '2026-02-11T00:02:00.000Z',
      },
      expect.objectContaining({ reason: expect.stringContaining('"OrderLost"'), count: 1, firstId: items[0].id }),
    ]);
  });

  it('are shown with their body, in base64 unless it is text', async () => {
    const store = await openIn(database);
    const bytes = Buffer.from([0xff, 0x00, 0x7b]);
    const text = message(1, 'OrderExploded', { name: 'Jané' });
    await deliver(store, text);
    await deliver(store, bytes);
    const { get } = await openAdmin({ store });
    const { items } = (await get('/quarantine')).body;
    expect((await get(`/webhooks/${items[0].id}`)).body).toMatchObject({ body: text, encoding: 'utf-8' });
    expect((await get(`/webhooks/${items[1].id}`)).body).toMatchObject({
      body: bytes.toString('base64'),
      encoding: 'base64',
    });
    expect((await get(`/webhooks/${items[0].id}`)).body).toMatchObject({ body: text, encoding: 'utf-8' });
    expect(await get('/webhooks/999999')).toMatchObject({ status: 404 });
    expect(await get('/webhooks/x')).toMatchObject({
      status: 400,
      body: { detail: 'id must be a whole number, 0 or greater' },
    });
  });
});
