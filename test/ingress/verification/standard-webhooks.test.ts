import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { standardWebhooks } from '../../../src/ingress/verification/shared-secrets.ts';
import { anyText } from '../../support/any-text.ts';
import { silent } from '../key-server.ts';
import { bodyAndBit, flipBit, flipTextBit, signedRequest } from './signed-request.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
/** Example from the specification's libraries. */
const published = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  time: 1_614_265_330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

const headersOf = ({ id, time, signature }: { id: string; time: number | string; signature: string }) => ({
  'webhook-id': id,
  'webhook-timestamp': String(time),
  'webhook-signature': signature,
});
const requestOf = (changes: Record<string, string | string[]> = {}) =>
  signedRequest({ headers: { ...headersOf(published), ...changes }, body: published.body });
const verifyAt = (time: number, secret: readonly string[] = [SECRET]) =>
  standardWebhooks.createVerifier(
    { secret, toleranceMs: 300_000 },
    { baseUrl: '', logger: silent, now: () => time * 1000 },
  );
const verify = verifyAt(published.time);
/** Signs a text with the library. */
const sign = (secret: string, text: string, { id, time } = published) =>
  new Webhook(secret).sign(id, new Date(time * 1000), text);

describe('the standard-webhooks verifier', () => {
  it('accepts the published example', async () => {
    expect(await verify(requestOf())).toBe('authentic');
  });

  it('accepts any signature by the library', async () => {
    const id = fc.stringMatching(/^[\x21-\x7e]{1,40}$/);
    await fc.assert(
      fc.asyncProperty(id, fc.nat(4_000_000_000), anyText(), async (id, time, body) => {
        const signature = sign(SECRET, body, { ...published, id, time });
        const request = signedRequest({ headers: headersOf({ id, time, signature }), body });
        expect(await verifyAt(time)(request)).toBe('authentic');
        expect(await verifyAt(time, [OTHER])(request)).toBe('refused');
      }),
    );
  });

  it.each([
    ['the first of several', `${published.signature} v1,YQ==`],
    ['the last of several', `v1,YQ== v1a,YQ== ${published.signature}`],
  ])('accepts a signature that is %s', async (_case, signature) => {
    expect(await verify(requestOf({ 'webhook-signature': signature }))).toBe('authentic');
  });

  it('accepts what any of its secrets signed, and nothing without one', async () => {
    expect(await verifyAt(published.time, [OTHER, SECRET])(requestOf())).toBe('authentic');
    expect(await verifyAt(published.time, [OTHER])(requestOf())).toBe('refused');
    expect(await verifyAt(published.time, [])(requestOf())).toBe('refused');
  });

  it.each([
    [-300, 'authentic'],
    [-301, 'refused'],
    [300, 'authentic'],
    [301, 'refused'],
  ])('at %i seconds from the timestamp decides %s', async (seconds, verdict) => {
    expect(await verifyAt(published.time + seconds)(requestOf())).toBe(verdict);
  });

  const [, bare = ''] = published.signature.split(',');
  it.each<[string, Record<string, string | string[]>]>([
    ['a signature without version', { 'webhook-signature': bare }],
    ['a signature of version v1a', { 'webhook-signature': `v1a,${bare}` }],
    ['a signature of version v2', { 'webhook-signature': `v2,${bare}` }],
    ['signatures with commas between them', { 'webhook-signature': `${published.signature},v1,YQ==` }],
    ['an empty signature', { 'webhook-signature': '' }],
    ['no signature', { 'webhook-signature': [] }],
    ['two signature headers', { 'webhook-signature': [published.signature, published.signature] }],
    ['no id', { 'webhook-id': [] }],
    ['an empty id', { 'webhook-id': '' }],
    ['another id', { 'webhook-id': 'msg_1' }],
    ['two ids', { 'webhook-id': [published.id, published.id] }],
    ['no timestamp', { 'webhook-timestamp': [] }],
    ['another timestamp', { 'webhook-timestamp': String(published.time + 1) }],
    ['a timestamp in words', { 'webhook-timestamp': 'now' }],
    ['a timestamp with a fraction', { 'webhook-timestamp': `${published.time}.0` }],
    ['an endless timestamp', { 'webhook-timestamp': '1'.repeat(400) }],
  ])('refuses %s', async (_case, changes) => {
    expect(await verify(requestOf(changes))).toBe('refused');
  });

  it('refuses an unreadable timestamp even if it is signed', async () => {
    const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
    const signature = `v1,${createHmac('sha256', key).update('x.NaN.{}').digest('base64')}`;
    expect(await verify(signedRequest({ headers: headersOf({ id: 'x', time: 'NaN', signature }) }))).toBe('refused');
  });

  it('refuses one changed bit anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(...bodyAndBit, fc.constantFrom('id', 'time', 'signature'), async (bytes, bit, part) => {
        const body = Buffer.from(bytes).toString('hex');
        const parts = { ...published, time: String(published.time), signature: sign(SECRET, body) };
        const verdictOf = (sent: string | Buffer, headers: typeof parts) =>
          verify(signedRequest({ headers: headersOf(headers), body: sent }));
        expect(await verdictOf(body, parts)).toBe('authentic');
        expect(await verdictOf(flipBit(Buffer.from(body), bit), parts)).toBe('refused');
        expect(await verdictOf(body, { ...parts, [part]: flipTextBit(parts[part], bit) })).toBe('refused');
      }),
    );
  });
});
