import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDestination, type DestinationOptions } from '../../../src/destinations/kinds/http.ts';
import { DocklineError } from '../../../src/domain/errors.ts';
import type { Exchange } from '../../../src/domain/outgoing.ts';
import { never } from '../../warehouse/open-warehouse.ts';
import { type Recorded, type Reply, startRecordingServer } from '../../warehouse/recording-server.ts';
import { outgoingOf, packed, secret } from '../announcements/announcements.ts';

const announcement = outgoingOf({ ...packed, resources: { order: '{"notes":"Grüße"}' } });

/** Body that arrives: its data begins with the revision that this destination got before. */
const arriving = announcement.body.replace('"data":{', '"data":{"previous":null,');

const padding = 'x'.repeat(5000);

/** An announcement with a large record. */
const large = outgoingOf({
  ...packed,
  resources: { order: `{"notes":"${padding}"}`, customer: '{"id":418}' },
  resourceFrom: 'warehouse',
});

/** Answers a body of more bytes with a status. */
const takes =
  (bytes: number, status = 413) =>
  ({ body }: Recorded): Reply => ({ status: Buffer.byteLength(body) > bytes ? status : 204 });

const exchangeOf = (ended: { readonly exchange?: Exchange | undefined }) => ended.exchange;

async function open(answer: (request: Recorded) => Reply | Promise<Reply>, options: Partial<DestinationOptions> = {}) {
  const { url, requests, connections } = await startRecordingServer(answer);
  const destination = createDestination({
    url: `${url}/in?key=private`,
    secret: [secret],
    timeoutMs: 60_000,
    allowedAddresses: [],
    ...options,
  });
  onTestFinished(() => destination.close());
  const send = async (sent = announcement, signal = never) => {
    const { exchange: _, ...receipt } = await destination.send(sent, signal);
    return receipt;
  };
  const exchange = () => destination.send(announcement, never).then(exchangeOf, exchangeOf);
  return { requests, connections, send, exchange };
}

describe('the exchange of an attempt', () => {
  it('has the headers that were sent, without what is secret', async () => {
    const headers = { authorization: 'Basic bWU6cGFzcw==', 'x-api-key': 'shush' };
    const { requests, exchange } = await open(() => ({ status: 204 }), { headers });
    const { requestHeaders = {}, ...answer } = (await exchange()) ?? {};
    expect(answer).toEqual({ status: 204, answer: null });
    expect(requestHeaders).toMatchObject({
      'webhook-id': announcement.id,
      'webhook-timestamp': requests[0]?.headers['webhook-timestamp'],
    });
    for (const name of ['authorization', 'x-api-key', 'webhook-signature']) expect(requestHeaders[name]).toBe('***');
  });

  it.each([
    ['an acknowledgment', 200],
    ['a failure', 503],
    ['a rejection', 422],
  ])('has the first kilobyte of %s, however long it is', async (_, status) => {
    const body = `<b>${'ü'.repeat(100_000)}`;
    const { exchange } = await open(() => ({ status, body }));
    const { answer } = (await exchange()) ?? {};
    expect(Buffer.from(answer ?? [])).toEqual(Buffer.from(body).subarray(0, 1024));
  });

  it('has what came of an answer that breaks off, and only the headers if none came', async () => {
    const cut = await open(() => 'cut');
    expect(await cut.exchange()).toMatchObject({ status: 200, answer: Buffer.from('{') });
    const none = await open(() => 'reset');
    expect(await none.exchange()).toMatchObject({
      status: null,
      answer: null,
      requestHeaders: { 'webhook-id': announcement.id },
    });
  });

  it('is no field of its failure, which may be logged', () => {
    const exchange: Exchange = { requestHeaders: {}, status: 503, answer: Buffer.from('Jane') };
    const failure = new DocklineError('ERR_DESTINATION_FAILED', 'answered 503', { exchange });
    expect(failure.exchange).toBe(exchange);
    expect(Object.keys(failure)).not.toContain('exchange');
  });
});

describe('an announcement on its way', () => {
  it('is a signed POST of its very bytes', async () => {
    const { requests, send } = await open(() => ({ status: 204 }), { now: () => 1_614_265_330_999 });
    await send();
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: 'POST', target: '/in?key=private', body: arriving });
    expect(requests[0]?.headers).toMatchObject({
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'content-length': String(Buffer.byteLength(arriving)),
      'webhook-id': 'order:9104:31004581/3/packed',
      'webhook-timestamp': '1614265330',
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
  });

  it('says which one this destination got before', async () => {
    const { requests, send } = await open(() => ({ status: 204 }));
    await send({ ...announcement, previous: 2 });
    expect(JSON.parse(requests[0]?.body ?? '').data).toEqual({ ...JSON.parse(announcement.body).data, previous: 2 });
  });

  it('has an Authorization and other headers if the destination does', async () => {
    const headers = { authorization: 'Basic bWU6cGFzcw==', 'x-api-key': 'shush' };
    const { requests, send } = await open(() => ({ status: 204 }), { headers });
    await send();
    expect(requests[0]?.headers).toMatchObject({ ...headers, 'webhook-id': announcement.id });
    const other = await open(() => ({ status: 204 }));
    await other.send();
    expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('has the content type that its destination asks for', async () => {
    const { requests, send } = await open(() => ({ status: 204 }), { headers: { 'content-type': 'application/json' } });
    await send();
    const { body = '', headers } = requests[0] ?? {};
    expect(headers?.['content-type']).toBe('application/json');
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(arriving));
  });

  it('shares a connection with those before it', async () => {
    const { connections, send } = await open(() => ({ status: 200, body: 'x'.repeat(100_000) }));
    for (let sent = 0; sent < 10; sent += 1) await send();
    expect(connections()).toBeLessThanOrEqual(2);
  });

  it.each([200, 202, 204, 299])('is acknowledged by a %i, which is returned', async (status) => {
    const { send } = await open(() => ({ status }));
    expect(await send()).toEqual({ status });
  });

  it.each([
    ...[400, 402, 405, 409, 415, 422, 451, 499].map((status) => [status, 'ERR_DESTINATION_REFUSED'] as const),
    ...[401, 403, 404, 407, 408, 410, 421, 425, 429].map((status) => [status, 'ERR_DESTINATION_FAILED'] as const),
    ...[301, 302, 307, 500, 502, 503, 504].map((status) => [status, 'ERR_DESTINATION_FAILED'] as const),
  ])('fails by a %i with %s, and is tried again only where its server may have moved', async (status, code) => {
    const { requests, send } = await open(() => ({ status, headers: { 'retry-after': '3', location: '/elsewhere' } }));
    await expect(send(outgoingOf(packed))).rejects.toMatchObject({
      name: 'DocklineError',
      code,
      status,
      retryAfterMs: 3000,
      message: expect.stringMatching(new RegExp(`^POST http://127\\.0\\.0\\.1:\\d+ answered ${status}$`)),
    });
    expect(requests).toHaveLength([404, 410, 421].includes(status) ? 2 : 1);
  });

  it('is unreachable if no answer arrives', async () => {
    const { send } = await open(() => 'hang', { timeoutMs: 300 });
    await expect(send()).rejects.toMatchObject({
      code: 'ERR_DESTINATION_UNREACHABLE',
      message: expect.stringContaining('no answer within 300 ms'),
    });
  });

  it('ends with the reason of its own signal', async () => {
    const { requests, send } = await open(() => 'hang');
    const controller = new AbortController();
    const sending = send(announcement, controller.signal);
    await expect.poll(() => requests.length).toBe(1);
    controller.abort(new Error('canceled'));
    await expect(sending).rejects.toThrow('canceled');
  });

  it('goes out without its record if that is too large', async () => {
    const { requests, send } = await open(takes(1500), { secret: [secret] });
    const receipt = await send(large);
    expect(receipt).toEqual({ status: 204, leftOut: ['order'] });
    const [first, second] = requests;
    expect(requests).toHaveLength(2);
    expect(first?.body).toContain(padding);
    expect(second?.headers['webhook-id']).toBe(large.id);
    const sent = new Webhook(secret).verify(second?.body ?? '', second?.headers as Record<string, string>);
    expect(sent).toMatchObject({
      data: {
        order: null,
        resourceFrom: null,
        missing: ['order'],
        customer: { id: 418 },
        recordsAt: { order: '/records/order:9104:31004581/3/packed/order' },
        wholeAt: '/announcements/order:9104:31004581/3/packed',
      },
    });
  });

  it.each([400, 414, 431, 507])(
    'goes out without its record if that is answered %i, as some do for a size',
    async (status) => {
      const { requests, send } = await open(takes(1500, status));
      expect(await send(large)).toEqual({ status: 204, leftOut: ['order'] });
      expect(requests).toHaveLength(2);
    },
  );

  it.each([401, 422, 429, 500])(
    'does not go out smaller after a %i, which says nothing of its size',
    async (status) => {
      const { requests, send } = await open(takes(1500, status));
      await expect(send(large)).rejects.toMatchObject({ status });
      expect(requests).toHaveLength(1);
    },
  );

  it('goes out without any record if it is too large without the largest', async () => {
    const noted = (times: number) => `{"note":"${padding.repeat(times)}"}`;
    const resources = { order: noted(1), user: noted(2), pickList: noted(3), customer: '{}' };
    const announcement = outgoingOf({ ...packed, resources });
    const { requests, send } = await open(takes(1500));
    expect(await send(announcement)).toEqual({ status: 204, leftOut: ['order', 'user', 'customer', 'pickList'] });
    expect(requests.map(({ body }) => body.split(padding).length - 1)).toEqual([6, 3, 0]);
  });

  it.each([
    ['ERR_DESTINATION_REFUSED', 413],
    ['ERR_DESTINATION_REFUSED', 400],
    ['ERR_DESTINATION_FAILED', 507],
  ])('fails with %s if it is answered %i without any record, too', async (code, status) => {
    const { requests, send } = await open(() => ({ status }));
    await expect(send(large)).rejects.toMatchObject({ code, status });
    expect(requests).toHaveLength(3);
  });

  it('has no record for a thin destination', async () => {
    const { requests, send } = await open(() => ({ status: 204 }), { detail: 'thin' });
    expect(await send(large)).toEqual({ status: 204, leftOut: ['order', 'customer'] });
    expect(await send(outgoingOf(packed))).toEqual({ status: 204 });
    expect(JSON.parse(requests[0]?.body ?? '').data).toMatchObject({
      kind: 'order',
      id: '31004581',
      milestone: 'packed',
      revision: 3,
      previous: null,
      order: null,
      customer: null,
      missing: ['order', 'customer'],
      recordsAt: {
        order: '/records/order:9104:31004581/3/packed/order',
        customer: '/records/order:9104:31004581/3/packed/customer',
      },
    });
    expect(requests).toHaveLength(2);
  });

  it('goes out without its advice, too, if a destination of advices finds it too large', async () => {
    const advised = outgoingOf({ ...packed, resources: { order: '{}' }, advice: '{"orderNumber":"WEB-1"}' });
    const { requests, send } = await open(({ body }) => ({ status: body.includes('"advice":') ? 413 : 204 }), {
      detail: 'advice',
    });
    expect(await send(advised)).toEqual({ status: 204, leftOut: ['order'] });
    expect(requests.map(({ body }) => 'advice' in JSON.parse(body).data)).toEqual([true, false]);
    expect(await send(outgoingOf(packed))).toEqual({ status: 204 });
    expect(requests).toHaveLength(3);
  });

  it('is not tried again for a thin destination that finds it too large', async () => {
    const { requests, send } = await open(() => ({ status: 413 }), { detail: 'thin' });
    await expect(send(large)).rejects.toMatchObject({ code: 'ERR_DESTINATION_REFUSED', status: 413 });
    expect(requests).toHaveLength(1);
  });

  it.each([
    { host: 'https://[::ffff:127.0.0.1]', reached: 0 },
    { host: 'http://localhost', reached: 1 },
  ])('reaches $reached server at $host', async ({ host, reached }) => {
    const { requests, url } = await startRecordingServer(() => ({ status: 204 }));
    const destination = createDestination({
      url: url.replace('http://127.0.0.1', host),
      secret: [secret],
      timeoutMs: 60_000,
      allowedAddresses: [],
    });
    onTestFinished(() => destination.close());
    const failure = await destination.send(announcement, never).catch((error) => error);
    expect(failure?.code).toBe(reached ? undefined : 'ERR_DESTINATION_ADDRESS');
    expect(requests).toHaveLength(reached);
  });
});
