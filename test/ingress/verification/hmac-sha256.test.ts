import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hmacSha256 } from '../../../src/ingress/verification/shared-secrets.ts';
import { silent } from '../key-server.ts';
import { bodyAndBit, flipBit, flipTextBit, opensslFixture, signedRequest } from './signed-request.ts';

const { body, hmac } = opensslFixture;
const defaults = { secret: [hmac.secret], header: 'x-signature', encoding: 'hex', prefix: '' } as const;
const createVerifier = (settings: Partial<Parameters<typeof hmacSha256.createVerifier>[0]> = {}) =>
  hmacSha256.createVerifier({ ...defaults, ...settings }, { baseUrl: '', logger: silent });
const requestOf = (signature: string | string[]) => signedRequest({ headers: { 'X-Signature': signature }, body });

describe('the hmac-sha256 verifier', () => {
  const verify = createVerifier();
  const verifyBase64 = createVerifier({ encoding: 'base64', prefix: 'v1=' });

  it('accepts what openssl signed, in hexadecimal digits of either case and in base64', async () => {
    expect(await verify(requestOf(hmac.hex))).toBe('authentic');
    expect(await verify(requestOf(hmac.hex.toUpperCase()))).toBe('authentic');
    expect(await verifyBase64(requestOf(`v1=${hmac.base64}`))).toBe('authentic');
  });

  it('accepts the example of RFC 4231', async () => {
    const verifyJefe = createVerifier({ secret: ['Jefe'] });
    const signature = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    const headers = { 'x-signature': signature };
    expect(await verifyJefe(signedRequest({ headers, body: 'what do ya want for nothing?' }))).toBe('authentic');
  });

  it('accepts the example that GitHub publishes', async () => {
    const secret = ["It's a Secret to Everybody"];
    const verifyHub = createVerifier({ secret, header: 'x-hub-signature-256', prefix: 'sha256=' });
    const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
    const headers = { 'X-Hub-Signature-256': signature };
    expect(await verifyHub(signedRequest({ headers, body: 'Hello, World!' }))).toBe('authentic');
  });

  it('accepts what any of its secrets signed, and nothing without one', async () => {
    const secret = ['the-secret-of-tomorrow', hmac.secret];
    expect(await createVerifier({ secret })(requestOf(hmac.hex))).toBe('authentic');
    expect(await createVerifier({ secret: secret.slice(0, 1) })(requestOf(hmac.hex))).toBe('refused');
    expect(await createVerifier({ secret: [] })(requestOf(hmac.hex))).toBe('refused');
  });

  it.each([
    ['empty', ''],
    ['half', hmac.hex.slice(0, 32)],
    ['longer', `${hmac.hex}00`],
    ['in base64', hmac.base64],
    ['with a prefix', `sha256=${hmac.hex}`],
    ['quoted', `"${hmac.hex}"`],
    ['sent twice', [hmac.hex, hmac.hex]],
    ['sent beside another', [hmac.hex, 'guess']],
    ['two in one', `${hmac.hex}, ${hmac.hex}`],
    ['of other characters', '\u00ff'.repeat(64)],
    ['endless', 'a'.repeat(10_000)],
  ])('refuses a signature that is %s', async (_case, signature) => {
    expect(await verify(requestOf(signature))).toBe('refused');
  });

  it('refuses a wrong or missing prefix, and a missing signature', async () => {
    expect(await verifyBase64(requestOf(hmac.base64))).toBe('refused');
    expect(await verifyBase64(requestOf(`V1=${hmac.base64}`))).toBe('refused');
    expect(await verify(signedRequest({ body }))).toBe('refused');
  });

  it.each(['hex', 'base64'] as const)('refuses one changed bit anywhere, in %s', async (encoding) => {
    const verifyPrefixed = createVerifier({ encoding, prefix: 'sha256=' });
    await fc.assert(
      fc.asyncProperty(...bodyAndBit, async (bytes, bit) => {
        const signature = `sha256=${createHmac('sha256', hmac.secret).update(bytes).digest(encoding)}`;
        const verdictOf = (sent: Uint8Array, shown: string) =>
          verifyPrefixed(signedRequest({ headers: { 'x-signature': shown }, body: sent }));
        expect(await verdictOf(bytes, signature)).toBe('authentic');
        expect(await verdictOf(flipBit(bytes, bit), signature)).toBe('refused');
        expect(await verdictOf(bytes, flipTextBit(signature, bit))).toBe('refused');
      }),
    );
  });
});
