import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { judgeServer } from '../../../src/app/doctor/temporal.ts';
import { openStore } from '../../../src/app/store.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { openTemporaryStore, temporaryFile } from '../../store/temporary-store.ts';
import { createCertificates, hasOpenssl } from '../../support/certificates.ts';
import { ELSEWHERE, startHttpProxy } from '../../support/http-proxy.ts';
import { listen } from '../../support/listen.ts';
import { databaseUrl } from '../../support/postgres.ts';
import { hasRabbit, type Rabbit, startRabbit } from '../../support/rabbitmq.ts';
import { startRecordingServer } from '../../warehouse/recording-server.ts';
import { examine as examineConfig, find, openExamined } from './examining.ts';

describe('the check of a destination', () => {
  it('sends one signed announcement that says that it is a test', async () => {
    const { examine, receiver } = await openExamined();
    const tried = `POST dockline.test to ${receiver.url} directly`;
    expect(await examine(['destination'])).toMatchObject([{ verdict: 'ok', tried, found: 'answered 204' }]);
    expect(receiver.tests()).toBe(1);
    expect(receiver.received()).toEqual([]);
  });

  it.each<[status: number, verdict: string, advice: RegExp]>([
    [401, 'failed', /compare its secret with ANNOUNCE_SECRET/],
    [302, 'failed', /Redirects are not followed/],
    [404, 'failed', /Check ANNOUNCE_URL/],
    [422, 'warning', /answer 2xx to types that it does not know/],
  ])('says what to do about an answer with %i', async (status, verdict, advice) => {
    const { examine } = await openExamined();
    const { url } = await startRecordingServer(() => ({ status }));
    const [check] = await examine(['destination'], { ANNOUNCE_URL: url });
    expect(check).toMatchObject({ verdict, advice: expect.stringMatching(advice) });
  });

  it('says what to do about an internal address', async () => {
    const { examine } = await openExamined();
    const { url } = await startRecordingServer(() => ({}));
    const [check] = await examine(['destination'], {
      ANNOUNCE_URL: url.replace('http://127.0.0.1', 'https://0.0.0.0'),
    });
    expect(check).toMatchObject({ verdict: 'failed', advice: expect.stringContaining('ANNOUNCE_ALLOWED_ADDRESSES') });
  });
});

describe('the check of a destination behind a proxy', () => {
  const elsewhere = { ANNOUNCE_URL: `http://${ELSEWHERE}/in`, ANNOUNCE_ALLOW_HTTP: 'yes' };

  it('names the proxy without its user and password', async () => {
    const { examine, receiver } = await openExamined();
    const proxy = await startHttpProxy(Number(new URL(receiver.url).port));
    const { host } = new URL(proxy.url);
    const url = `http://${ELSEWHERE}${new URL(receiver.url).pathname}`;
    const checks = await examine(['destination'], { ...elsewhere, ANNOUNCE_URL: url, http_proxy: proxy.url });
    expect(checks).toMatchObject([
      { verdict: 'ok', tried: `POST dockline.test to ${url} through the proxy http://${host}`, found: 'answered 204' },
    ]);
    expect(JSON.stringify(checks)).not.toMatch(/p@ss|p%40ss/);
  });

  it.each([407, 'closes'] as const)('says what to check if the proxy does so: %s', async (manner) => {
    const { examine } = await openExamined();
    const { url } = await startHttpProxy(0, manner);
    const [check] = await examine(['destination'], { ...elsewhere, HTTP_PROXY: url });
    expect(check).toMatchObject({ verdict: 'failed', advice: expect.stringMatching(/HTTPS_PROXY.*NO_PROXY/) });
    expect(JSON.stringify(check)).not.toMatch(/p@ss|p%40ss/);
  });

  it('says that the proxy may have answered what it forwards', async () => {
    const { examine } = await openExamined();
    const { url } = await startRecordingServer(() => ({ status: 403 }));
    const proxy = await startHttpProxy(Number(new URL(url).port));
    const [check] = await examine(['destination'], { ...elsewhere, HTTP_PROXY: proxy.url });
    expect(check).toMatchObject({
      found: expect.stringMatching(/^POST http:\S+ through the proxy \S+ answered 403$/),
      advice: expect.stringMatching(/ANNOUNCE_BEARER.*HTTP_PROXY/),
    });
  });
});

describe.skipIf(!hasOpenssl)('the check of a destination with certificates', () => {
  it.each<[name: string, set: readonly ('ca' | 'client')[], advice: RegExp]>([
    [
      'an authority of its own, or the certificate of the issuer',
      [],
      /authority that is not public: set ANNOUNCE_CA, /,
    ],
    ['a client certificate', ['ca'], /set ANNOUNCE_CLIENT_CERT and ANNOUNCE_CLIENT_KEY, /],
    ['nothing more', ['ca', 'client'], /ANNOUNCE_BEARER/],
  ])('says that it wants %s', async (_, set, advice) => {
    const { examine } = await openExamined();
    const { path, read, remove } = createCertificates();
    onTestFinished(remove);
    const own = { ca: read('ca.crt'), cert: read('server.crt'), key: read('server.key') };
    const server = createTlsServer({ ...own, requestCert: true }, (request, answer) =>
      request.resume().on('end', () => answer.writeHead(401).end()),
    );
    const variables = {
      ...(set.includes('ca') && { ANNOUNCE_CA: path('ca.crt') }),
      ...(set.includes('client') && {
        ANNOUNCE_CLIENT_CERT: path('client.crt'),
        ANNOUNCE_CLIENT_KEY: path('client.key'),
      }),
    };
    const ANNOUNCE_URL = `https://127.0.0.1:${await listen(server)}`;
    const [check] = await examine(['destination'], { ANNOUNCE_URL, ...variables });
    expect(check).toMatchObject({ verdict: 'failed', advice: expect.stringMatching(advice) });
  });
});

describe.skipIf(!hasRabbit)('the check of an exchange', () => {
  let rabbit: Rabbit;
  beforeAll(async () => {
    rabbit = await startRabbit();
    await rabbit.administer((channel) => channel.assertExchange('dockline', 'topic'));
  });
  afterAll(() => rabbit?.close());

  const tryOut = async (variables: Readonly<Record<string, string>> = {}) => {
    const { examine } = await openExamined();
    const [check] = await examine(['destination'], { ANNOUNCE_URL: rabbit.url, ...variables });
    expect(JSON.stringify(check)).not.toMatch(/hush/);
    return check;
  };

  it('publishes a message that says that it is a test', async () => {
    const messages = await rabbit.administer(async (channel) => {
      await channel.assertQueue('tests', { durable: false });
      await channel.bindQueue('tests', 'dockline', 'test');
      expect(await tryOut()).toMatchObject({
        verdict: 'ok',
        tried: `publish dockline.test to dockline at amqp://127.0.0.1:${rabbit.port}`,
        found: 'answered 200',
      });
      const got = await channel.get('tests', { noAck: true });
      await channel.deleteQueue('tests');
      return got;
    });
    expect(messages).toMatchObject({ properties: { messageId: expect.stringMatching(/^test\//) } });
  });

  it.each<[what: string, verdict: string, advice: RegExp, variables: () => Readonly<Record<string, string>>]>([
    ['a test that no queue gets', 'warning', /Bind a queue to the exchange/, () => ({})],
    ['a missing exchange', 'failed', /Create a durable topic exchange/, () => ({ ANNOUNCE_EXCHANGE: 'missing' })],
    ['a virtual host', 'failed', /names the virtual host/, () => ({ ANNOUNCE_URL: `${rabbit.url}/elsewhere` })],
    [
      'a login',
      'failed',
      /Check the user and the pass/,
      () => ({ ANNOUNCE_URL: rabbit.url.replace('dockline', 'me') }),
    ],
    ['an address', 'failed', /whose port is 5672 unless/, () => ({ ANNOUNCE_URL: 'amqp://127.0.0.1:1' })],
    ['an internal address', 'failed', /ANNOUNCE_ALLOWED/, () => ({ ANNOUNCE_URL: 'amqps://me:hush@0.0.0.0:1' })],
  ])('says what to do about %s', async (_, verdict, advice, variables) => {
    expect(await tryOut(variables())).toMatchObject({ verdict, advice: expect.stringMatching(advice) });
  });
});

describe('the check of workflows to signal', () => {
  const workflows = { ANNOUNCE_WORKFLOW_TYPE: 'fulfillment', ANNOUNCE_TASK_QUEUE: 'fulfillment' };

  it('says what to do about a server that does not answer', async () => {
    const { examine } = await openExamined();
    const variables = { ANNOUNCE_URL: 'temporal://127.0.0.1:1/orders', ANNOUNCE_TIMEOUT_MS: '500', ...workflows };
    expect((await examine(['destination'], variables))[0]).toMatchObject({
      verdict: 'failed',
      tried: 'look for workers of fulfillment at temporal://127.0.0.1:1/orders',
      advice: expect.stringMatching(/whose port is 7233 unless/),
    });
  });
});

describe('the check of a webhook', () => {
  it('fetches the key that verifies deliveries', async () => {
    const { examine } = await openExamined();
    expect(await examine(['webhook'])).toMatchObject([{ verdict: 'ok', found: 'RSA with 2048 bits' }]);
  });

  it.each([
    [{ status: 404 }, 'answered 404'],
    [{ body: '<html>' }, 'answered 200, without a key that can be used'],
  ])('says why there is no key: %j', async (answer, found) => {
    const { examine } = await openExamined();
    const { url } = await startRecordingServer(() => answer);
    expect(await examine(['webhook'], { WAREHOUSE_BASE_URL: url })).toMatchObject([{ verdict: 'failed', found }]);
  });

  it('fetches the key at the path that is set', async () => {
    const { examine } = await openExamined();
    const [check] = await examine(['webhook'], { WAREHOUSE_PATHS: 'webhookKey=/keys/webhook' });
    expect(check).toMatchObject({
      verdict: 'failed',
      tried: 'GET /keys/webhook of the warehouse',
      found: 'answered 404',
      advice: expect.stringContaining('webhookKey in WAREHOUSE_PATHS'),
    });
  });

  it('fetches no key where one is pinned', async () => {
    const { examine, simulator } = await openExamined();
    const { publicKey } = (await (await fetch(`${simulator.baseUrl}/events/webhook/key`)).json()) as {
      publicKey: string;
    };
    const pinned = { WEBHOOK_PUBLIC_KEY: publicKey, WAREHOUSE_BASE_URL: 'http://127.0.0.1:1' };
    expect(await examine(['webhook'], pinned)).toMatchObject([{ verdict: 'skipped' }]);
  });
});

describe('the check of the clock', () => {
  it.each([
    [0, 'ok', /^no clock is wrong$/],
    [60, 'warning', /^The clock of http:\S+ is (59|60|61) s ahead of this machine's$/],
    [-900, 'warning', /^The clock of http:\S+ is (899|900|901) s behind this machine's$/],
  ])('compares it with the date of a server that is %i s ahead', async (seconds, verdict, found) => {
    const { examine } = await openExamined();
    const { url } = await startRecordingServer(() => ({
      headers: { date: new Date(Date.now() + seconds * 1000).toUTCString() },
    }));
    const checks = await examine(['machine'], { WAREHOUSE_BASE_URL: url, WAREHOUSE_AUTH_URL: url });
    expect(find(checks, 'clock-wrong')).toMatchObject({ verdict, found: expect.stringMatching(found) });
  });
});

describe('the check of the store', () => {
  it('tells a file that is not there from one that is in use, and from one that can be written', async () => {
    const folder = temporaryFile();
    const config = loadConfig({ DATA_FOLDER: folder });
    const check = async () => (await examineConfig(config, ['store']))[0];
    expect(await check()).toMatchObject({ verdict: 'ok', found: 'will be created at the start' });

    const store = await openStore({ file: join(folder, 'dockline.db') });
    expect(await check()).toMatchObject({ verdict: 'skipped', found: expect.stringContaining('a running Dockline') });
    await store.close();
    expect(await check()).toMatchObject({
      verdict: 'ok',
      found: expect.stringMatching(/^has version \d+ of the schema, is writable$/),
    });
    const again = await openTemporaryStore({ file: join(folder, 'dockline.db') });
    expect(await again.db.selectFrom('processes').selectAll().execute()).toEqual([]);
  });

  it('names what a schema lacks that somebody changed', async () => {
    const folder = temporaryFile();
    const file = join(folder, 'dockline.db');
    await (await openStore({ file })).close();
    const database = new DatabaseSync(file);
    database.exec('drop table due; alter table subjects rename column stage to phase');
    database.close();
    expect((await examineConfig(loadConfig({ DATA_FOLDER: folder }), ['store']))[0]).toMatchObject({
      verdict: 'failed',
      found: expect.stringMatching(
        /^does not have version \d+ of the schema, as it claims: it lacks due, subjects\.stage$/,
      ),
    });
  });

  it.skipIf(!inject('postgres'))('writes to PostgreSQL in a transaction that is rolled back', async () => {
    const { server = '', template = '' } = inject('postgres') ?? {};
    const check = async (url: string) => (await examineConfig(loadConfig({ DATABASE_URL: url }), ['store']))[0];
    expect(await check(databaseUrl(server, template))).toMatchObject({
      verdict: 'ok',
      found: expect.stringMatching(/^has version \d+ of the schema, is writable$/),
    });
    expect(await check(databaseUrl(server, 'nowhere'))).toMatchObject({ verdict: 'failed' });
    const readOnly = `${databaseUrl(server, template)}?options=-c%20default_transaction_read_only%3Don`;
    expect(await check(readOnly)).toMatchObject({ verdict: 'failed', found: expect.stringContaining('is read-only') });
  });
});

describe("the version of Temporal's server", () => {
  it.each([
    ['1.25.0', 'ok', 'answered, version 1.25.0'],
    ['v2.0.1', 'ok', 'answered, version v2.0.1'],
    ['', 'ok', 'answered, version unknown'],
    ['cloud', 'ok', 'answered, version cloud'],
    ['1.24.9', 'warning', expect.stringContaining('1.24.9 is older than 1.25')],
    ['0.30.0', 'warning', expect.stringContaining('cannot be refreshed')],
  ])('"%s": %s', (version, verdict, found) => {
    expect(judgeServer(version)).toMatchObject({ verdict, found });
  });
});
