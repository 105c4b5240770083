import { randomUUID } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type AmqpOptions, createAmqpDestination } from '../../../src/destinations/kinds/amqp.ts';
import type { OutgoingAnnouncement } from '../../../src/domain/outgoing.ts';
import type { Permitted } from '../../../src/domain/permission.ts';
import { openBlackHole } from '../../app/doctor/examining.ts';
import { createCertificates, hasOpenssl } from '../../support/certificates.ts';
import { listen } from '../../support/listen.ts';
import { hasRabbit, LARGEST, type Rabbit, startRabbit } from '../../support/rabbitmq.ts';
import { never } from '../../warehouse/open-warehouse.ts';
import { outgoingOf, packed, secret } from '../announcements/announcements.ts';

const announcement = outgoingOf({ ...packed, resources: { order: '{"notes":"Grüße"}' } });

/** Body that arrives: its data begins with the revision that this destination got before. */
const arriving = announcement.body.replace('"data":{', '"data":{"previous":null,');

/** Another announcement of the same order. */
const next = (revision: number): Permitted<OutgoingAnnouncement> =>
  outgoingOf({ ...packed, change: { ...packed.change, revision } });

const padding = 'x'.repeat(LARGEST);
const large = outgoingOf({ ...packed, resources: { order: `{"notes":"${padding}"}`, customer: '{"id":418}' } });

if (!hasRabbit) console.warn('Tests of RabbitMQ are skipped: it is not installed (apt-get install rabbitmq-server).');

describe.skipIf(!hasRabbit || !hasOpenssl)('an exchange of RabbitMQ', () => {
  const certificates = hasRabbit && hasOpenssl ? createCertificates() : undefined;
  const path = (name: string) => certificates?.path(name) ?? '';
  const read = (name: string) => certificates?.read(name) ?? '';
  let rabbit: Rabbit;
  beforeAll(async () => {
    rabbit = await startRabbit({ tls: { ca: path('ca.crt'), cert: path('server.crt'), key: path('server.key') } });
  });
  afterAll(async () => {
    await rabbit?.close();
    certificates?.remove();
  });

  /** Opens a destination with an exchange of its own, of which a queue gets everything unless `bound` is another pattern. */
  async function open({
    bound = '#',
    queue: settings = {},
    ...options
  }: Partial<AmqpOptions> & { readonly bound?: string; readonly queue?: Readonly<Record<string, unknown>> } = {}) {
    const exchange = randomUUID();
    await rabbit.administer(async (channel) => {
      await channel.assertExchange(exchange, 'topic');
      await channel.assertQueue(exchange, { arguments: settings });
      await channel.bindQueue(exchange, exchange, bound);
    });
    return { ...openAt({ exchange, ...options }), exchange, taken: () => take(exchange) };
  }

  /** Takes everything that is in a queue. */
  const take = (queue: string) =>
    rabbit.administer(async (channel) => {
      const messages = [];
      for (let got = await channel.get(queue, { noAck: true }); got; got = await channel.get(queue, { noAck: true }))
        messages.push({ ...got, body: got.content.toString() });
      return messages;
    });

  function openAt({ url: given = rabbit.url, ...options }: Partial<AmqpOptions> & Pick<AmqpOptions, 'exchange'>) {
    const { username, password } = new URL(given);
    const credentials = `${username}:${decodeURIComponent(password)}`;
    const url = given.replace(/\/\/.*@/, '//');
    const known = { url, credentials, timeoutMs: 60_000, allowedAddresses: [] };
    const destination = createAmqpDestination({ ...known, ...options, url });
    onTestFinished(() => destination.close());
    const send = (sent = announcement, signal = never) => destination.send(sent, signal);
    return {
      send,
      failure: async (sent = announcement) => await send(sent).then(String, (error) => error),
      /** Sends until it succeeds, where a slow machine may need more than one short attempt. */
      untilSent: (sent = announcement) => expect.poll(() => send(sent).then(({ status }) => status, String)).toBe(200),
    };
  }

  /** Opens a way to the broker that can be disturbed. */
  async function openWay() {
    const connections: { isMute: boolean }[] = [];
    let cuts = 0;
    const server = createServer((near) => {
      const connection = { isMute: false };
      connections.push(connection);
      const far = connect(rabbit.port, '127.0.0.1');
      near.on('error', () => {}).on('close', () => far.destroy());
      near.on('data', (chunk) => connection.isMute || far.write(chunk));
      far
        .on('error', () => {})
        .on('data', (chunk) => {
          if (connection.isMute) return;
          if (cuts === 0) return void near.write(chunk);
          cuts -= 1;
          near.resetAndDestroy();
        });
    });
    return {
      url: throughPort(await listen(server)),
      connections,
      /** Ends so many connections, each when the broker answers next. */
      cut: (times: number) => {
        cuts = times;
      },
      /** Carries nothing any more on the connections that there are. */
      mute: () => {
        for (const connection of connections) connection.isMute = true;
      },
    };
  }

  const throughPort = (port: number) => rabbit.url.replace(`:${rabbit.port}`, `:${port}`);

  describe('gets an announcement', () => {
    it('as a persistent message of its very bytes', async () => {
      const { send, taken } = await open();
      expect(await send()).toEqual({ status: 200 });
      const messages = await taken();
      expect(messages).toMatchObject([
        {
          body: arriving,
          fields: { routingKey: 'order.packed' },
          properties: {
            contentType: 'application/cloudevents+json; charset=utf-8',
            deliveryMode: 2,
            messageId: announcement.id,
            appId: 'dockline',
            timestamp: expect.closeTo(Date.now() / 1000, -2),
          },
        },
      ]);
      expect(messages[0]?.properties.headers).toEqual({ partitionkey: 'order:9104:31004581' });
    });

    it('that is a replay, and says so', async () => {
      const { send, taken } = await open();
      await send({ ...announcement, isReplay: true });
      expect((await taken())[0]?.properties.headers).toMatchObject({ 'dockline-replay': 'true' });
    });

    it('signed if there is a secret', async () => {
      const { send, taken } = await open({ secret: [secret] });
      await send();
      const [message] = await taken();
      const headers = message?.properties.headers as Record<string, string>;
      expect(new Webhook(secret).verify(message?.body ?? '', headers)).toEqual(JSON.parse(arriving));
    });

    it('once, in the order in which they are sent, over one connection', async () => {
      const { url, connections } = await openWay();
      const { send, taken } = await open({ url });
      const all = Array.from({ length: 30 }, (_, index) => next(index + 1));
      for (const each of all) await send(each);
      expect((await taken()).map(({ properties }) => properties.messageId)).toEqual(all.map(({ id }) => id));
      expect(connections).toHaveLength(1);
    });

    it('over TLS', async () => {
      const { send, taken } = await open({ url: rabbit.tlsUrl, tls: { ca: read('ca.crt') } });
      await send();
      expect(await taken()).toHaveLength(1);
    });

    it('from the user that the client certificate names', async () => {
      await rabbit.evaluate(`rabbit_auth_backend_internal:add_user(<<"client">>, <<"${randomUUID()}">>, <<"a test">>)`);
      await rabbit.evaluate(
        'rabbit_auth_backend_internal:set_permissions(<<"client">>, <<"/">>, <<"^$">>, <<".*">>, <<"^$">>, <<"a test">>)',
      );
      const tls = { ca: read('ca.crt'), cert: read('client.crt'), key: read('client.key') };
      const { send, taken } = await open({ url: rabbit.tlsUrl, credentials: undefined, tls });
      await send();
      expect(await taken()).toHaveLength(1);
      await rabbit.evaluate('rabbit_auth_backend_internal:delete_user(<<"client">>, <<"a test">>)');
      const { failure } = await open({ url: rabbit.tlsUrl, credentials: undefined, tls });
      expect(await failure()).toMatchObject({ status: 403 });
    });

    it('whose id is longer than a property, under its SHA-256', async () => {
      const { send, taken } = await open();
      const id = 'ü'.repeat(200);
      await send({ ...announcement, id });
      expect((await taken())[0]?.properties.messageId).toMatch(/^[0-9a-f]{64}$/);
    });
  });

  describe('that is not there as configured', () => {
    const wrong = { ERR: 'ERR_DESTINATION_FAILED' } as const;

    it.each([
      ['the login was refused', 403, () => ({ url: rabbit.url.replace('dockline:', 'somebody:') })],
      ['the virtual host was refused', 530, () => ({ url: `${rabbit.url}/elsewhere` })],
      ['there is no exchange missing', 404, () => ({ exchange: 'missing' })],
    ])('fails since %s', async (reason, status, options) => {
      const { failure } = await open(options());
      const error = await failure();
      expect(error).toMatchObject({ code: wrong.ERR, status });
      expect(error.message).toMatch(
        new RegExp(`^publishing to \\S+ at amqp://127\\.0\\.0\\.1:\\d+\\S* failed: ${reason}$`),
      );
    });

    it('fails where no queue gets the type, and works for the others', async () => {
      const { send, failure, taken } = await open({ bound: 'order.packed' });
      const other = outgoingOf({ ...packed, change: { ...packed.change, milestone: 'confirmed' } });
      const [unrouted, routed] = await Promise.all([failure(other), send()]);
      expect(unrouted).toMatchObject({ code: wrong.ERR, status: 312 });
      expect(unrouted.message).toMatch(/failed: no queue is bound for order\.confirmed$/);
      expect(routed).toEqual({ status: 200 });
      expect(await taken()).toHaveLength(1);
    });

    it('fails where the queue rejects the message', async () => {
      const { failure } = await open({ queue: { 'x-max-length': 0, 'x-overflow': 'reject-publish' } });
      expect(await failure()).toMatchObject({
        code: wrong.ERR,
        message: expect.stringMatching(/the broker did not take the message$/),
      });
    });

    it('fails once the exchange is deleted, and works when it is there again', async () => {
      const { send, failure, exchange } = await open();
      await send();
      await rabbit.administer((channel) => channel.deleteExchange(exchange));
      expect(await failure()).toMatchObject({ code: wrong.ERR, status: 404 });
      await rabbit.administer(async (channel) => {
        await channel.assertExchange(exchange, 'topic');
        await channel.bindQueue(exchange, exchange, '#');
      });
      expect(await send()).toEqual({ status: 200 });
    });

    it('is unreachable where nothing listens, or its certificate is of an unknown authority', async () => {
      expect(await openAt({ exchange: 'any', url: throughPort(1) }).failure()).toMatchObject({
        code: 'ERR_DESTINATION_UNREACHABLE',
        message: expect.stringMatching(/failed: ECONNREFUSED$/),
      });
      expect(await openAt({ exchange: 'any', url: rabbit.tlsUrl }).failure()).toMatchObject({
        code: 'ERR_DESTINATION_UNREACHABLE',
        message: expect.stringMatching(/failed: (UNABLE_TO|SELF_SIGNED)\w+$/),
      });
    });
  });

  describe('that gets something too large', () => {
    it('gets it without its record, and meanwhile everything else', async () => {
      const { send, taken } = await open();
      const others = Array.from({ length: 10 }, (_, index) => next(index + 10));
      const [receipt, ...receipts] = await Promise.all([send(large), ...others.map((each) => send(each))]);
      expect(receipt).toEqual({ status: 200, leftOut: ['order'] });
      expect(new Set(receipts.map(({ status }) => status))).toEqual(new Set([200]));
      const ids = (await taken()).map(({ properties }) => properties.messageId);
      expect(new Set(ids)).toEqual(new Set([large.id, ...others.map(({ id }) => id)]));
    });

    it('rejects it if it is too large without any record', async () => {
      const { failure } = await open();
      const body = announcement.body.replace('"data":{', `"data":{"after":"${padding}",`);
      expect(await failure({ ...announcement, body })).toMatchObject({ code: 'ERR_DESTINATION_REFUSED', status: 406 });
    });
  });

  describe('whose connection fails', () => {
    it('gets again what was not confirmed, and nothing is lost', async () => {
      const { cut, url } = await openWay();
      const { send, taken } = await open({ url });
      await send(next(1));
      cut(1);
      expect(await send(next(2))).toEqual({ status: 200 });
      await send(next(3));
      const ids = (await taken()).map(({ properties }) => properties.messageId);
      expect(new Set(ids)).toEqual(new Set([next(1).id, next(2).id, next(3).id]));
      expect(ids.at(-1)).toBe(next(3).id);
    });

    it('is unreachable if the next one ends, too', async () => {
      const { cut, url } = await openWay();
      const { send, failure } = await open({ url });
      await send(next(1));
      cut(2);
      expect(await failure(next(2))).toMatchObject({
        code: 'ERR_DESTINATION_UNREACHABLE',
        message: expect.stringMatching(/failed: (the connection ended|ECONNRESET)$/),
      });
      expect(await send(next(2))).toEqual({ status: 200 });
    });

    it('is unreachable if it does not answer any more, and reached over another one after that', async () => {
      const { url, mute } = await openWay();
      const { failure, untilSent, taken } = await open({ url, timeoutMs: 1000 });
      await untilSent(next(1));
      mute();
      expect(await failure(next(2))).toMatchObject({
        code: 'ERR_DESTINATION_UNREACHABLE',
        message: expect.stringMatching(/failed: no answer within 1000 ms$/),
      });
      await untilSent(next(2));
      const ids = (await taken()).map(({ properties }) => properties.messageId);
      expect([...new Set(ids)]).toEqual([next(1).id, next(2).id]);
    });

    it('is unreachable if it never says hello, and the connection is closed', async () => {
      const sockets: Socket[] = [];
      const port = await listen(createServer((socket) => sockets.push(socket.on('error', () => {}).resume())));
      for (const url of [throughPort(port), throughPort(port).replace('amqp:', 'amqps:')])
        expect(await openAt({ exchange: 'any', url, timeoutMs: 300 }).failure()).toMatchObject({
          message: expect.stringMatching(/failed: no answer within 300 ms$/),
        });
      await expect.poll(() => sockets.map(({ destroyed }) => destroyed)).toEqual([true, true]);
    });

    it('ends an attempt with the reason of its own signal', async () => {
      const controller = new AbortController();
      const sending = openAt({ exchange: 'any', url: throughPort(await openBlackHole()), timeoutMs: 300 }).send(
        announcement,
        controller.signal,
      );
      controller.abort(new Error('canceled'));
      await expect(sending).rejects.toThrow('canceled');
    });

    it('says that the broker is short of memory, and is reached when it is not', async () => {
      const { failure, untilSent } = await open({ timeoutMs: 2000 });
      await untilSent();
      await rabbit.evaluate('vm_memory_monitor:set_vm_memory_high_watermark(0.000001)');
      const errors = [await failure(), await failure()];
      await rabbit.evaluate('vm_memory_monitor:set_vm_memory_high_watermark(0.8)');
      expect(errors.map(({ message }) => message)).toContainEqual(
        expect.stringMatching(/no answer within 2000 ms; the broker takes no messages, since it is short of memory/),
      );
      await untilSent();
    });

    it('is reached again after the broker was killed, which has kept everything', async () => {
      const { send, failure, taken } = await open();
      await send(next(1));
      await rabbit.kill();
      expect(await failure(next(2))).toMatchObject({ code: 'ERR_DESTINATION_UNREACHABLE' });
      await rabbit.restart();
      await send(next(2));
      expect((await taken()).map(({ properties }) => properties.messageId)).toEqual([next(1).id, next(2).id]);
    });
  });

  it.each(['amqp://0.0.0.0', 'amqp://[::ffff:127.0.0.1]', 'amqp://127.1', 'amqp://0x7f000001'])(
    'is refused at an internal address that is not listed: %s',
    async (host) => {
      const url = rabbit.url.replace('127.0.0.1', new URL(host).host);
      expect(await openAt({ exchange: 'any', url }).failure()).toMatchObject({
        code: 'ERR_DESTINATION_ADDRESS',
        message: expect.stringMatching(/ is at \S+, which is internal$/),
      });
      const { send } = await open({ url, allowedAddresses: ['127.0.0.1', '0.0.0.0', '::ffff:127.0.0.1'] });
      expect(await send()).toEqual({ status: 200 });
    },
  );

  it('shows neither the user nor the password in any failure', async () => {
    const failures = await Promise.all(
      [
        { url: rabbit.url.replace('dockline:', 'somebody:') },
        { url: `${rabbit.url}/elsewhere` },
        { exchange: 'missing' },
        { bound: 'nothing' },
        { url: throughPort(1) },
        { url: throughPort(await openBlackHole()), timeoutMs: 300 },
        { url: rabbit.url.replace('127.0.0.1', '0.0.0.0') },
      ].map(async (options) => await (await open(options)).failure()),
    );
    const text = failures.map((error) => inspect(error, { depth: 10, showHidden: true })).join();
    expect(failures.map(({ code }) => code)).not.toContain(undefined);
    expect(text).not.toMatch(/hush|somebody|dockline:/);
  });
});
