import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { basic } from '../../../src/ingress/verification/shared-secrets.ts';
import { silent } from '../key-server.ts';
import { flipTextBit, signedRequest } from './signed-request.ts';

const createVerifier = (user: string, ...password: string[]) =>
  basic.createVerifier({ user, password }, { baseUrl: '', logger: silent });
const verify = createVerifier('Aladdin', 'open sesame', 'close:sesame');
const requestOf = (authorization: string | string[]) => signedRequest({ headers: { authorization } });
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('the basic verifier', () => {
  it.each([
    ['the example of RFC 7617', 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=='],
    ['the scheme in another case', 'bASIC  QWxhZGRpbjpvcGVuIHNlc2FtZQ=='],
    ['another of its passwords, even one with a colon', `Basic ${base64('Aladdin:close:sesame')}`],
  ])('accepts %s', async (_case, authorization) => {
    expect(await verify(requestOf(authorization))).toBe('authentic');
  });

  it('accepts the example of RFC 7617 that is not ASCII', async () => {
    const verifyTest = createVerifier('test', '123£');
    expect(await verifyTest(requestOf('Basic dGVzdDoxMjPCow=='))).toBe('authentic');
  });

  it.each([
    ['no header', []],
    ['an empty header', ''],
    ['the scheme alone', 'Basic'],
    ['no credentials', 'Basic '],
    ['what is not base64', 'Basic !!!'],
    ['no colon', `Basic ${base64('Aladdin')}`],
    ['an empty password', `Basic ${base64('Aladdin:')}`],
    ['an empty user', `Basic ${base64(':open sesame')}`],
    ['another user', `Basic ${base64('Jafar:open sesame')}`],
    ['another password', `Basic ${base64('Aladdin:open')}`],
    ['bytes that are not UTF-8', `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}`],
    ['another scheme', 'Bearer QWxhZGRpbjpvcGVuIHNlc2FtZQ=='],
    ['no padding', 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ'],
    ['base64 as no encoder writes it', 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZR=='],
    ['what is not encoded', 'Basic Aladdin:open sesame'],
    ['two in one header', 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==, Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=='],
    ['the header twice', ['Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==', 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==']],
    ['a guess after it', ['Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==', 'Basic guess']],
    ['an endless header', `Basic ${'A'.repeat(16_000)}`],
  ])('refuses %s', async (_case, authorization) => {
    expect(await verify(requestOf(authorization))).toBe('refused');
  });

  it('refuses everything without a password', async () => {
    const verifyNone = createVerifier('');
    expect(await verifyNone(requestOf(`Basic ${base64(':')}`))).toBe('refused');
  });

  it('refuses one changed bit anywhere in the credentials', async () => {
    const credentials = base64('Aladdin:open sesame');
    await fc.assert(
      fc.asyncProperty(fc.nat(credentials.length * 8), async (bit) => {
        expect(await verify(requestOf(`Basic ${flipTextBit(credentials, bit)}`))).toBe('refused');
      }),
    );
  });
});
