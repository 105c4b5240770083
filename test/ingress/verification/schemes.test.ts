import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { protect, type Verification } from '../../../src/ingress/verification/schemes.ts';
import { lookedUp, silent, startKeyServer } from '../key-server.ts';
import { signedRequest } from './signed-request.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = '{"eventType":"OrderCreate"}';
const now = Math.floor(Date.now() / 1000);

async function setUp(webhook: Verification) {
  const server = await startKeyServer();
  return { server, ...protect({ webhook, baseUrl: server.baseUrl }, silent) };
}

describe('an endpoint', () => {
  it("with rsa-sha256 accepts the warehouse's signature", async () => {
    const { server, verify, mayVerify, challenge } = await setUp({ verify: 'rsa-sha256', ...lookedUp });
    expect(mayVerify?.(signedRequest({ headers: { signature: server.sign(body) } }))).toBe(true);
    expect(mayVerify?.(signedRequest({ headers: { signature: server.sign('other') } }))).toBe(true);
    for (const signature of ['', '%', 'YQ', ['YQ==', 'YQ==']])
      expect(mayVerify?.(signedRequest({ headers: { signature } }))).toBe(false);
    expect(mayVerify?.(signedRequest({}))).toBe(false);
    expect(await verify(signedRequest({ headers: { signature: server.sign(body) }, body }))).toBe('authentic');
    expect(await verify(signedRequest({ body }))).toBe('refused');
    expect(challenge).toBeUndefined();
  });

  it('looks the public key up at the path of its warehouse', async () => {
    const server = await startKeyServer({ path: '/keys/webhook' });
    const request = signedRequest({ headers: { signature: server.sign(body) }, body });
    const tenant = { webhook: { verify: 'rsa-sha256', ...lookedUp }, baseUrl: server.baseUrl } as const;
    const paths = { webhookKey: '/keys/webhook' };
    expect(await protect({ ...tenant, paths }, silent).verify(request)).toBe('authentic');
    expect(await protect(tenant, silent).verify(request)).toBe('undecided');
  });

  it.each<[string, Verification, Record<string, string>, string | undefined]>([
    [
      'hmac-sha256',
      { verify: 'hmac-sha256', secret: ['old', 'new'], header: 'x-signature', encoding: 'base64', prefix: 'v1=' },
      { 'X-Signature': `v1=${createHmac('sha256', 'new').update(body).digest('base64')}` },
      undefined,
    ],
    [
      'standard-webhooks',
      { verify: 'standard-webhooks', secret: [SECRET], toleranceMs: 300_000 },
      {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(now),
        'webhook-signature': new Webhook(SECRET).sign('msg_1', new Date(now * 1000), body),
      },
      undefined,
    ],
    [
      'basic',
      { verify: 'basic', user: 'Aladdin', password: ['other', 'open sesame'] },
      { authorization: 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==' },
      'Basic realm="webhook", charset="UTF-8"',
    ],
    ['token', { verify: 'token', token: ['a', 'b'] }, { authorization: 'Bearer b' }, 'Bearer realm="webhook"'],
  ])('with %s accepts its credentials and refuses everything else', async (_case, settings, headers, asks) => {
    const { verify, mayVerify, challenge } = await setUp(settings);
    expect(await verify(signedRequest({ headers, body }))).toBe('authentic');
    expect(mayVerify?.(signedRequest({ headers }))).toBe(true);
    for (const [name, value] of Object.entries(headers)) {
      expect(mayVerify?.(signedRequest({ headers: { ...headers, [name]: [value, value] } }))).toBe(false);
      expect(mayVerify?.(signedRequest({ headers: { ...headers, [name]: '' } }))).toBe(false);
    }
    expect(mayVerify?.(signedRequest({ body }))).toBe(false);
    expect(await verify(signedRequest({ body }))).toBe('refused');
    expect(challenge).toBe(asks);
  });

  it('with none accepts everything', async () => {
    const { verify, mayVerify } = await setUp({ verify: 'none' });
    expect(mayVerify).toBeUndefined();
    expect(await verify(signedRequest({}))).toBe('authentic');
  });
});
