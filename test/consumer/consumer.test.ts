import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createConsumer } from '../../consumer/src/consumer.ts';
import { createMemoryStore } from '../../consumer/src/memory-store.ts';

const secret = `whsec_${randomBytes(24).toString('base64')}`;
const [first = '', second = ''] = (await readFile('test/destinations/announcements/examples.jsonl', 'utf8')).split(
  '\n',
);

function signed(text: string, by = secret) {
  const id = JSON.parse(text).id ?? 'any';
  const now = new Date();
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  return [{ ...headers, 'webhook-signature': new Webhook(by).sign(id, now, text) }, Buffer.from(text)] as const;
}

function openConsumer(failure?: Error) {
  const taken: string[] = [];
  const consumer = createConsumer({
    secrets: [secret],
    store: createMemoryStore(),
    handle({ id }) {
      if (failure) throw failure;
      taken.push(id);
    },
  });
  return { ...consumer, taken };
}

describe('the answer to an announcement', () => {
  it('is 204 once it is taken, and for a copy; 425 for one that is early', async () => {
    const { receive, taken } = openConsumer();
    expect(await receive(...signed(second))).toEqual({ status: 425, outcome: 'early' });
    expect(await receive(...signed(first))).toEqual({ status: 204, outcome: 'taken' });
    expect(await receive(...signed(first))).toEqual({ status: 204, outcome: 'duplicate' });
    expect(await receive(...signed(second))).toEqual({ status: 204, outcome: 'taken' });
    expect(taken).toEqual([JSON.parse(first).id, JSON.parse(second).id]);
  });

  it('is 401 for what is not authentic, and 400 for what is not an announcement, with the reason', async () => {
    const { receive, taken } = openConsumer();
    const stranger = `whsec_${randomBytes(24).toString('base64')}`;
    expect(await receive(...signed(first, stranger))).toMatchObject({ status: 401, error: { code: 'ERR_SIGNATURE' } });
    expect(await receive({}, undefined)).toMatchObject({ status: 401, error: { code: 'ERR_HEADERS' } });
    expect(await receive(...signed('{}'))).toMatchObject({ status: 400, error: { code: 'ERR_MALFORMED' } });
    expect(taken).toEqual([]);
  });

  it('is left to the caller if the handler fails, and the announcement is not taken', async () => {
    const failing = openConsumer(new Error('no database'));
    await expect(failing.receive(...signed(first))).rejects.toThrow('no database');
    await expect(failing.receive(...signed(first))).rejects.toThrow('no database');
  });

  it('is an error if a framework has parsed the body', async () => {
    const [headers] = signed(first);
    await expect(openConsumer().receive(headers, JSON.parse(first))).rejects.toThrow('the bytes as they came');
  });
});

/** Id of the first example, which its signature covers. */
const { id } = JSON.parse(first);

/** Signs any text under any id. */
function signedAs(webhookId: string, text: string, headers: Readonly<Record<string, string>> = {}) {
  const now = new Date();
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signature = new Webhook(secret).sign(webhookId, now, text);
  const own = { 'webhook-id': webhookId, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  return [{ ...own, ...headers }, Buffer.from(text)] as const;
}

describe('a whole CloudEvent under headers that a gateway rewrote', () => {
  it.each<[string, Record<string, string>]>([
    ['no content type', {}],
    ['another case', { 'content-type': 'Application/CloudEvents+JSON; Charset=UTF-8' }],
    ['plain JSON', { 'content-type': 'application/json' }],
    ['JSON, with the version', { 'content-type': 'application/json', 'ce-specversion': '1.0' }],
    [
      'the attributes of another',
      {
        'content-type': 'application/json',
        'ce-specversion': '1.0',
        'ce-id': 'test/1',
        'ce-type': 'dockline.test',
      },
    ],
    ['a batch', { 'content-type': 'application/cloudevents-batch+json', 'ce-specversion': '1.0', 'ce-id': id }],
  ])('is handed over: %s', async (_, headers) => {
    const { receive, taken } = openConsumer();
    expect(await receive(...signedAs(id, first, headers))).toEqual({ status: 204, outcome: 'taken' });
    expect(taken).toEqual([id]);
  });

  it('is refused under the id of another announcement', async () => {
    const { receive, taken } = openConsumer();
    for (const other of [JSON.parse(second).id, 'test/1', 'any']) {
      const answer = await receive(...signedAs(other, first, { 'ce-specversion': '1.0', 'ce-id': other }));
      expect(answer).toMatchObject({ status: 401, error: { code: 'ERR_HEADERS' } });
    }
    expect(taken).toEqual([]);
  });
});

describe('an announcement that verifies', () => {
  const bulletin = {
    specversion: '1.0',
    id: 'bulletin/1',
    source: '/dockline/9104',
    type: 'dockline.bulletin',
    data: 7,
  };

  it.each([
    ['counts from zero', { ...JSON.parse(first), sequence: '0' }],
    ['has no version', { ...bulletin, specversion: undefined }],
    ['is a list of announcements', [JSON.parse(first)]],
  ])('is refused if it %s', async (_, value) => {
    const { receive } = openConsumer();
    const answer = await receive(...signedAs(value.id ?? id, JSON.stringify(value)));
    expect(answer).toMatchObject({ status: 400, error: { code: 'ERR_MALFORMED' } });
  });
});

describe('a consumer', () => {
  it.each(['store', 'handle'])('is none without its %s, and says so at once', (name) => {
    const options = { secrets: [secret], store: createMemoryStore(), handle: () => undefined, [name]: undefined };
    expect(() => createConsumer(options as never)).toThrow(TypeError);
    expect(() => createConsumer(options as never)).toThrow(name);
  });
});

describe('a request as a gateway hands it to a function', () => {
  const [headers, bytes] = signedAs(id, first);
  const entries = Object.entries(headers);
  const titled = entries.map(
    ([name, value]) => [name.replaceAll(/\b[a-z]/g, (it) => it.toUpperCase()), value] as const,
  );

  it.each<[string, Parameters<ReturnType<typeof openConsumer>['receive']>]>([
    ['names with capitals', [Object.fromEntries(titled), bytes]],
    ['lists of one value', [Object.fromEntries(entries.map(([name, value]) => [name, [value]])), bytes]],
    ['the same value twice', [Object.fromEntries(entries.map(([name, value]) => [name, [value, value]])), bytes]],
    ['both cases', [{ ...headers, ...Object.fromEntries(titled) }, bytes]],
    ['Headers', [new Headers(headers), bytes]],
    ['a Map', [new Map(titled), bytes]],
    ['pairs', [titled, bytes]],
    ['a Uint8Array', [headers, new Uint8Array(bytes)]],
    ['an ArrayBuffer', [headers, new Uint8Array(bytes).buffer]],
    ['text', [headers, first]],
    ['base64', [headers, bytes.toString('base64')]],
  ])('is taken with %s', async (_, [given, body]) => {
    expect(await openConsumer().receive(given, body)).toEqual({ status: 204, outcome: 'taken' });
  });

  it('is refused with two values of a header', async () => {
    const other = { ...headers, 'Webhook-Id': 'other' };
    for (const given of [{ ...headers, 'webhook-id': [id, 'other'] }, other, Object.entries(other)]) {
      const answer = await openConsumer().receive(given, bytes);
      expect(answer).toMatchObject({ status: 401, error: { code: 'ERR_HEADERS' } });
    }
  });

  it('is refused without a body', async () => {
    for (const body of [null, '', undefined]) {
      expect(await openConsumer().receive(headers, body)).toMatchObject({ error: { code: 'ERR_SIGNATURE' } });
    }
  });
});
