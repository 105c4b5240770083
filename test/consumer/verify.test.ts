import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { Headers as HeadersOfUndici } from 'undici';
import { describe, expect, it } from 'vitest';
import { createVerifier } from '../../consumer/src/verify.ts';
import { createSigner } from '../../src/http/signature.ts';
import { anyText } from '../support/any-text.ts';

const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`;
const secret = newSecret();
const NOW = 1_770_804_000_000;
const timestamp = NOW / 1000;
const id = 'order:9104:31004581/5/packed';
const body = Buffer.from('{"quantity":1.10,"note":"grün"}');
const now = () => NOW;

const headersOf = (signature: string, changes = {}) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signature,
  ...changes,
});

/** Signature by the library of Standard Webhooks. */
const signatureBy = (by: string, text: string | Buffer = body, at = NOW) =>
  new Webhook(by).sign(id, new Date(at), text);

const codeOf = (run: () => void): string => {
  try {
    run();
    return 'verified';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('the verification of an announcement', () => {
  const verify = createVerifier({ secrets: [secret], now });
  const check = (headers: Parameters<typeof verify>[0], bytes: Uint8Array = body) =>
    codeOf(() => verify(headers, bytes));

  it('accepts what Dockline signs, and what the library of Standard Webhooks signs', () => {
    expect(check(headersOf(createSigner([secret])({ id, timestamp, body })))).toBe('verified');
    expect(check(headersOf(signatureBy(secret)))).toBe('verified');
    expect(check(new Headers(headersOf(signatureBy(secret))))).toBe('verified');
    expect(check(new HeadersOfUndici(headersOf(signatureBy(secret))) as unknown as Headers)).toBe('verified');
  });

  it('accepts any of several signatures with any of several secrets, and no other', () => {
    const next = newSecret();
    const stranger = newSecret();
    const both = createVerifier({ secrets: [secret, next], now });
    const signatures = `${signatureBy(stranger)} v1a,${signatureBy(secret)} ${signatureBy(next)}`;
    expect(codeOf(() => both(headersOf(signatures), body))).toBe('verified');
    expect(check(headersOf(signatures))).toBe('ERR_SIGNATURE');
  });

  it('accepts one right signature of several headers, in any order', () => {
    const right = signatureBy(secret);
    for (const [one, other] of [
      [right, signatureBy(newSecret())],
      [signatureBy(newSecret()), right],
    ] as const) {
      const headers = headersOf(one);
      expect(check({ ...headers, 'webhook-signature': [one, other] })).toBe('verified');
      expect(check({ ...headers, 'Webhook-Signature': other })).toBe('verified');
      expect(check([...Object.entries(headers), ['WEBHOOK-SIGNATURE', [other]]])).toBe('verified');
      for (const between of [', ', ',', ' , ']) expect(check(headersOf(`${one}${between}${other}`))).toBe('verified');
      const joined = new Headers(headers);
      joined.append('webhook-signature', other);
      expect(check(joined)).toBe('verified');
      const doubled = new Headers(headers);
      for (const [name, value] of Object.entries(headers)) doubled.append(name, value);
      expect(codeOf(() => createVerifier({ secrets: [secret, newSecret()], now })(doubled, body))).toBe(
        one === right ? 'verified' : 'ERR_SIGNATURE',
      );
    }
  });

  it('says which header is absent, or there twice', () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      for (const value of name === 'webhook-signature' ? [undefined, []] : [undefined, ['a', 'b']]) {
        expect(() => verify(headersOf(signatureBy(secret), { [name]: value }), body)).toThrow(name);
        expect(check(headersOf(signatureBy(secret), { [name]: value }))).toBe('ERR_HEADERS');
      }
    }
  });

  it.each([
    [-300_000, 300_000, 'verified'],
    [300_000, 300_000, 'verified'],
    [-301_000, 300_000, 'ERR_TIMESTAMP'],
    [301_000, 300_000, 'ERR_TIMESTAMP'],
    [-301_000, 302_000, 'verified'],
    [-2000, 1000, 'ERR_TIMESTAMP'],
  ])('takes a timestamp %i ms from now, with a tolerance of %i ms, as %s', (distance, toleranceMs, expected) => {
    const tolerant = createVerifier({ secrets: [secret], now, toleranceMs });
    const at = NOW + distance;
    const headers = headersOf(signatureBy(secret, body, at), { 'webhook-timestamp': String(at / 1000) });
    expect(codeOf(() => tolerant(headers, body))).toBe(expected);
  });

  it.each(['', 'NaN', '1e9', '-1', `${timestamp}.5`, ` ${timestamp}`])('refuses the timestamp "%s"', (text) => {
    const code = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(`${id}.${text}.`)
      .update(body);
    const headers = headersOf(`v1,${code.digest('base64')}`, { 'webhook-timestamp': text });
    expect(check(headers)).toBe('ERR_TIMESTAMP');
  });

  it('refuses every change of a byte, of the id, of the timestamp and of the signature', () => {
    const signature = signatureBy(secret);
    const position = fc.nat(body.length - 1);
    fc.assert(
      fc.property(position, fc.integer({ min: 1, max: 255 }), (at, change) => {
        const forged = Buffer.from(body);
        forged[at] = (forged[at] ?? 0) ^ change;
        expect(check(headersOf(signature), forged)).toBe('ERR_SIGNATURE');
      }),
    );
    fc.assert(
      fc.property(anyText(), (other) => {
        fc.pre(other !== id);
        expect(check(headersOf(signature, { 'webhook-id': other }))).toBe('ERR_SIGNATURE');
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: -300, max: 300 }), (seconds) => {
        fc.pre(seconds !== 0);
        const moved = String(timestamp + seconds);
        expect(check(headersOf(signature, { 'webhook-timestamp': moved }))).toBe('ERR_SIGNATURE');
      }),
    );
    const random = fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((it) => `v1,${Buffer.from(it).toString('base64')}`);
    fc.assert(
      fc.property(
        fc.oneof(random, fc.string(), fc.constant(signature.slice(0, -1)), fc.constant(`${signature}=`)),
        (it) => {
          expect(check(headersOf(it))).toBe('ERR_SIGNATURE');
        },
      ),
    );
  });
});

describe('the secrets of a verifier', () => {
  it.each(['', 'whsec_', 'whsec_c2hvcnQ=', 'no prefix at all, and no base64', `whsec_ ${secret.slice(6)}`])(
    'are not "%s", which no message shows',
    (wrong) => {
      const create = () => createVerifier({ secrets: [secret, wrong] });
      expect(create).toThrow(TypeError);
      if (wrong.length > 6) expect(create).not.toThrow(wrong);
    },
  );

  it('are one at least', () => {
    expect(() => createVerifier({ secrets: [] })).toThrow('no secret');
    expect(() => createVerifier({} as never)).toThrow('no secret');
  });

  it.each(['', undefined])('are not %o, as a variable that is not set is', (unset) => {
    const create = () => createVerifier({ secrets: [unset] as never });
    expect(create).toThrow('the secret is empty: set ANNOUNCE_SECRET');
  });
});
