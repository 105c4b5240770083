import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startReceiver } from '../../../sandbox/receiver/receiver.ts';
import { asSent } from '../../../src/destinations/announcements/announced-data.ts';
import { createTestAnnouncement } from '../../../src/destinations/announcements/cloud-event.ts';
import { createDestination } from '../../../src/destinations/kinds/http.ts';
import { outgoingOf, packed, secret } from '../../destinations/announcements/announcements.ts';

const never = new AbortController().signal;
const announcement = outgoingOf(packed);

/** Signs an announcement with the library of Standard Webhooks. */
function signed(sent = announcement) {
  const { id, body } = asSent(sent);
  const now = new Date();
  const headers = {
    'content-type': 'application/cloudevents+json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body),
  };
  return { headers, body };
}

async function open(signedWith = secret) {
  const receiver = await startReceiver({ port: 0, secret });
  const destination = createDestination({
    url: receiver.url,
    secret: [signedWith],
    timeoutMs: 60_000,
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
    expect(await send(createTestAnnouncement('9104'))).toMatchObject({ status: 204 });
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
        previous: null,
        type: 'dockline.order.packed',
        time: '2026-02-11T10:30:00.000Z',
        late: false,
        inferred: false,
        eventId: '9104:187450321',
        receivedAt: expect.any(Number),
        triedAt: expect.any(Number),
        content: {
          kind: 'order',
          id: '31004581',
          milestone: 'packed',
          stage: 'packed',
          inferred: false,
          missing: [],
          resourceFrom: null,
          event: { id: '9104:187450321', name: 'OrderPackComplete', time: '2026-02-11T10:30:00.000Z' },
          facts: [packed.lifecycle.snapshot],
          records: { order: null, customer: null, user: null, pickList: null },
        },
      },
    ]);
    expect(receiver.tally()).toEqual({ received: 1, duplicates: 0, outOfOrder: 0 });
  });

  it('keeps of each record its id alone, however it is spelled', async () => {
    const { receiver, send } = await open();
    const order = { ReadOnly: { OrderId: 31004581 }, Notes: 'x'.repeat(1000) };
    const resources = { order: JSON.stringify(order), customer: '{"Message":"An error has occurred."}', user: '[]' };
    await send(outgoingOf({ ...packed, resources }));
    const [{ content } = {}] = receiver.received();
    expect(content?.records).toEqual({ order: '31004581', customer: '', user: '', pickList: null });
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
});

describe('a receiver that lies', () => {
  const answerTo = async (receiver: { url: string }, headers: Record<string, string>, body: string) => {
    const { statusCode, headers: answered } = await request(receiver.url, { method: 'POST', headers, body });
    return { status: statusCode, retryAfter: answered['retry-after'], connection: answered.connection };
  };

  it('closes each connection after its answer without saying so', async () => {
    const { receiver } = await open();
    receiver.setLies({ closes: true });
    const socket = connect(Number(new URL(receiver.url).port), '127.0.0.1');
    const read = text(socket);
    socket.write('POST /announcements HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n{}');
    const answer = await read;
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer.toLowerCase()).not.toContain('connection: close');
  });

  it('answers 413 above a size, and knows which announcements were too large', async () => {
    const { receiver, send } = await open();
    receiver.setLies({ limitBytes: 2000 });
    const large = outgoingOf({ ...packed, resources: { order: JSON.stringify({ notes: 'x'.repeat(2000) }) } });
    const { headers, body } = signed(large);
    expect(await answerTo(receiver, headers, body)).toMatchObject({ status: 413 });
    expect([receiver.isTooLarge(large.id), receiver.tally().received]).toEqual([true, 0]);
    await send();
    expect(receiver.tally().received).toBe(1);
  });

  it('answers 503 with a Retry-After of no time or in the past, at its rate, and knows when it was first tried', async () => {
    const { receiver } = await open();
    receiver.setLies({ retryAfterZero: 0.5 });
    const { headers, body } = signed();
    const answers = await Array.fromAsync({ length: 8 }, () => answerTo(receiver, headers, body));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(4);
    const retryAfter = answers.flatMap((answer) => (answer.status === 503 ? [String(answer.retryAfter)] : []));
    expect(retryAfter.filter((value) => value === '0')).toHaveLength(2);
    expect(Math.max(...retryAfter.filter((value) => value !== '0').map(Date.parse))).toBeLessThan(Date.now());
    const [{ triedAt = 0, receivedAt = 0 } = {}] = receiver.received();
    expect(triedAt).toBeLessThanOrEqual(receivedAt);
  });
});
