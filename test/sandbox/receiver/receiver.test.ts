import { describe, expect, it, onTestFinished } from 'vitest';
import { createAnnouncement } from '../../../src/announcements/cloud-event.ts';
import { createDestination } from '../../../src/announcements/destination.ts';
import { createTestAnnouncement } from '../../../src/announcements/test-announcement.ts';
import { startReceiver } from '../../../src/sandbox/receiver/receiver.ts';
import { packed, secret } from '../../announcements/announcements.ts';

const never = new AbortController().signal;
const announcement = createAnnouncement(packed);

async function open(signedWith = secret) {
  const receiver = await startReceiver({ port: 0, secret });
  const destination = createDestination({
    url: receiver.url,
    secret: [signedWith],
    timeoutMs: 5000,
    allowedAddresses: [],
  });
  onTestFinished(async () => {
    await destination.close();
    await receiver.close();
  });
  return { receiver, send: (sent = announcement) => destination.send(sent, never) };
}

describe('the receiver', () => {
  it('accepts an announcement that says that it is a test, and does not store it', async () => {
    const { receiver, send } = await open();
    expect(await send(createTestAnnouncement('9104'))).toEqual({ status: 204 });
    expect([receiver.tests(), receiver.received(), receiver.refused()]).toEqual([1, [], 0]);
  });

  it('stores an authentic announcement', async () => {
    const { receiver, send } = await open();
    await send();
    expect(receiver.received()).toEqual([
      {
        id: 'order:9104:31004581/3/packed',
        source: '/dockline/9104',
        subject: 'orders/31004581',
        sequence: 3,
        type: 'dockline.order.packed',
        time: '2026-02-11T10:30:00.000Z',
        late: false,
        inferred: false,
        eventId: '9104:187450321',
        receivedAt: expect.any(Number),
      },
    ]);
    expect(receiver.tally()).toEqual({ received: 1, duplicates: 0, outOfOrder: 0 });
  });

  it('counts a duplicate', async () => {
    const { receiver, send } = await open();
    await send();
    await send();
    expect(receiver.tally()).toEqual({ received: 1, duplicates: 1, outOfOrder: 0 });
  });

  it('accepts an announcement of several megabytes', async () => {
    const { receiver, send } = await open();
    const order = JSON.stringify({ notes: 'x'.repeat(8_000_000) });
    await send(createAnnouncement({ ...packed, resources: { order } }));
    expect(receiver.tally().received).toBe(1);
  });

  it('refuses a wrong or missing signature and malformed announcements', async () => {
    const { receiver, send } = await open(`whsec_${Buffer.from('another key of 24 bytes..').toString('base64')}`);
    await expect(send()).rejects.toMatchObject({ message: expect.stringContaining('answered 401') });
    expect((await fetch(receiver.url, { method: 'POST', body: announcement.body })).status).toBe(401);

    const authentic = await open();
    await expect(authentic.send({ ...announcement, body: '{"id":1}' })).rejects.toThrow('answered 401');
    await expect(authentic.send({ ...announcement, body: 'text' })).rejects.toThrow('answered 401');

    expect([receiver.refused(), authentic.receiver.refused()]).toEqual([2, 2]);
    expect([receiver.tally().received, authentic.receiver.tally().received]).toEqual([0, 0]);
  });

  it('simulates a destination that fails and recovers', async () => {
    const { receiver, send } = await open();
    receiver.setAnswer(503, { 'retry-after': '2' });
    await expect(send()).rejects.toMatchObject({ code: 'ERR_DESTINATION_FAILED', retryAfterMs: 2000 });
    expect(receiver.tally().received).toBe(0);

    receiver.setAnswer(204);
    await send();
    expect(receiver.tally()).toEqual({ received: 1, duplicates: 0, outOfOrder: 0 });
  });
});
