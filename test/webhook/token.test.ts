import { describe, expect, it } from 'vitest';
import { createTokenVerifier } from '../../src/webhook/token.ts';

const verify = createTokenVerifier({ token: 'a-shared-secret-of-some-length' });
const requestOf = (query: string, authorization?: string) => ({
  headers: authorization === undefined ? {} : { authorization },
  query: new URLSearchParams(query),
  body: Buffer.from('{}'),
});

describe('the token verifier', () => {
  it.each([
    ['in the query', 'token=a-shared-secret-of-some-length', undefined],
    ['as a bearer', '', 'Bearer a-shared-secret-of-some-length'],
    ['as a bearer in another case', '', 'bearer a-shared-secret-of-some-length'],
  ])('accepts the token %s', async (_case, query, authorization) => {
    expect(await verify(requestOf(query, authorization))).toBe('authentic');
  });

  it.each([
    ['no token', '', undefined],
    ['an empty token', 'token=', 'Bearer '],
    ['a prefix', 'token=a-shared-secret', undefined],
    ['a longer token', 'token=a-shared-secret-of-some-length-and-more', undefined],
    ['another scheme', '', 'Basic a-shared-secret-of-some-length'],
    ['another name', 'Token=a-shared-secret-of-some-length', undefined],
  ])('refuses %s', async (_case, query, authorization) => {
    expect(await verify(requestOf(query, authorization))).toBe('refused');
  });
});
