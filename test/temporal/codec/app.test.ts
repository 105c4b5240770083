import type { Payload, PayloadCodec } from '@temporalio/common';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EncryptionKeys } from '../../../src/base/sealing.ts';
import { type CodecAppDeps, createCodecApp } from '../../../src/temporal/codec/app.ts';
import { createCodec } from '../../../src/temporal/codec/codec.ts';
import { codecKeys } from '../../../src/temporal/settings.ts';

const codec = createCodec(codecKeys.parse(`a:${Buffer.alloc(32, 1).toString('base64')}`) as EncryptionKeys);
const token = 'a-token-of-tenants';
const ui = 'http://localhost:8233';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const inJson = { metadata: { encoding: base64('json/plain') }, data: base64('"packed"') };

function open(deps: Partial<CodecAppDeps> = {}) {
  const errors: object[] = [];
  const logger = { error: (fields: object) => void errors.push(fields) };
  const app = createCodecApp({ codec, token, origins: [ui], logger, ...deps });
  onTestFinished(() => app.close());
  const post = (url: string, payload: unknown, headers: Readonly<Record<string, string>> = {}) =>
    app.inject({
      method: 'POST',
      url,
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    });
  return { app, post, errors };
}

describe('the codec endpoint', () => {
  it.each(['', '/', '/default/', '/behind/a/proxy/'])('encodes and decodes below %j', async (path) => {
    const { post } = open();
    const below = path.replace(/\/?$/, '/');
    const encoded = await post(`${below}encode`, { payloads: [inJson, inJson] }, { 'x-namespace': 'default' });
    expect(encoded.statusCode).toBe(200);
    expect(encoded.headers['content-type']).toMatch(/^application\/json/);
    const { payloads } = encoded.json();
    expect(payloads).toHaveLength(2);
    expect(payloads[0]).toMatchObject({
      metadata: { encoding: base64('binary/encrypted'), 'encryption-key-id': base64('a') },
      data: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
    });
    expect((await post(`${below}decode`, { payloads })).json()).toEqual({ payloads: [inJson, inJson] });
  });

  it.each(['{}', '{"payloads": []}', '{"payloads": null}'])(
    'treats %s as no payloads, as protobuf does',
    async (body) => {
      expect((await open().post('/decode', body)).json()).toEqual({ payloads: [] });
    },
  );

  it('returns unencrypted payloads unchanged', async () => {
    expect((await open().post('/decode', { payloads: [inJson, {}] })).json()).toEqual({ payloads: [inJson, {}] });
  });

  it('refuses a peer that shows ten wrong tokens for a minute, but none that shows nothing', async () => {
    const { app, post } = open();
    const status = async (authorization: string) => (await post('/decode', {}, { authorization })).statusCode;
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect([await status('Bearer another-token'), (await app.inject('/')).statusCode]).toEqual([401, 401]);
    }
    expect(await status(`Bearer ${token}`)).toBe(429);
  });

  it.each([
    ['no token', ''],
    ['another token', 'Bearer another-token-of-tenants'],
    ['a part of it', `Bearer ${token.slice(0, -1)}`],
    ['another password', `Basic ${base64('someone:else')}`],
    ['its name as the user', `Basic ${base64(`${token}:`)}`],
    ['the token under another scheme', `Digest ${token}`],
  ])('rejects %s', async (_what, authorization) => {
    const { statusCode, headers, body } = await open().post('/decode', { payloads: [inJson] }, { authorization });
    expect(statusCode).toBe(401);
    expect(headers['www-authenticate']).toMatch(/^Basic/);
    expect(body).not.toContain(inJson.data);
  });

  it.each([`Bearer ${token}`, `bearer ${token}`, `Basic ${base64(`anyone:${token}`)}`])(
    'admits %s',
    async (authorization) => {
      expect((await open().post('/decode', { payloads: [] }, { authorization })).json()).toEqual({ payloads: [] });
    },
  );

  it('asks browsers to sign in', async () => {
    const { app } = open();
    expect((await app.inject('/')).statusCode).toBe(401);
    const authorization = `Basic ${base64(`me:${token}`)}`;
    expect((await app.inject({ url: '/', headers: { authorization } })).statusCode).toBe(200);
  });

  it('allows cross-origin requests of the UI', async () => {
    const { app, post } = open();
    const preflight = await app.inject({
      method: 'OPTIONS',
      url: '/default/decode',
      headers: {
        origin: ui,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-namespace',
      },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': ui,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'authorization, content-type, x-namespace',
      'access-control-allow-credentials': 'true',
      vary: 'origin',
    });
    const { headers } = await post('/decode', { payloads: [] }, { origin: ui });
    expect(headers).toMatchObject({ 'access-control-allow-origin': ui });
  });

  it.each(['http://localhost:8080', 'https://localhost:8233', 'null', `${ui}.example`])(
    'rejects pages of %s, even with a token',
    async (origin) => {
      const { app, post } = open({ token: undefined });
      for (const { statusCode, headers } of [
        await post('/decode', { payloads: [] }, { origin }),
        await app.inject({ method: 'OPTIONS', url: '/decode', headers: { origin } }),
      ]) {
        expect(statusCode).toBe(403);
        expect(headers).not.toHaveProperty('access-control-allow-origin');
      }
    },
  );

  it('without a token answers pages of the UI and clients other than browsers', async () => {
    const { post } = open({ token: undefined });
    const nothing = { authorization: '' };
    expect((await post('/decode', { payloads: [] }, nothing)).statusCode).toBe(200);
    expect((await post('/decode', { payloads: [] }, { ...nothing, origin: ui })).statusCode).toBe(200);
  });

  it.each([
    '{',
    '[]',
    'null',
    '{"payloads": {}}',
    '{"payloads": ["x"]}',
    '{"payloads": [{"data": 5}]}',
    '{"payloads": [{"metadata": {"encoding": "ä"}}]}',
  ])('answers 400 to %s', async (body) => {
    const { post, errors } = open();
    const { statusCode, headers } = await post('/decode', body);
    expect(statusCode).toBe(400);
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(errors).toEqual([]);
  });

  it('reports why a payload cannot be decrypted', async () => {
    const { post } = open();
    const metadata = { encoding: base64('binary/encrypted'), 'encryption-key-id': base64('lost') };
    const { statusCode, body } = await post('/decode', { payloads: [{ metadata, data: base64('whatever') }] });
    expect(statusCode).toBe(400);
    expect(JSON.parse(body).detail).toContain('key "lost", which is not among the keys');
  });

  it('reports its own failures only in the log', async () => {
    const broken: PayloadCodec = {
      encode: async (payloads: Payload[]) => payloads,
      decode: async () => {
        throw new Error('of our own');
      },
    };
    const { post, errors } = open({ codec: broken });
    const { statusCode, body } = await post('/decode', { payloads: [inJson] });
    expect(statusCode).toBe(500);
    expect(body).not.toContain('of our own');
    expect(errors).toMatchObject([{ err: { message: 'of our own' } }]);
  });

  it.each(['/', '/decodes', '/decode/x', '/health'])('answers 404 at %s', async (path) => {
    expect((await open().post(path, { payloads: [] })).statusCode).toBe(404);
  });
});
