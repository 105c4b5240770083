import { describe, expect, it } from 'vitest';
import { token } from '../../../src/ingress/verification/shared-secrets.ts';
import { silent } from '../key-server.ts';
import { signedRequest } from './signed-request.ts';

const secrets = ['a-shared-secret-of-some-length', 'the-next-secret-of-some-length', 'c2hhcmVk+c2VjcmV0/w=='];
const verify = token.createVerifier({ token: secrets }, { baseUrl: '', logger: silent });
const requestOf = (query: string, authorization?: string | string[]) =>
  signedRequest({ headers: authorization === undefined ? {} : { authorization }, query });

describe('the token verifier', () => {
  it.each([
    ['in the query', 'token=a-shared-secret-of-some-length', undefined],
    ['that comes after it', 'token=the-next-secret-of-some-length', undefined],
    ['with a plus as it is', 'x=a+b&token=c2hhcmVk+c2VjcmV0/w==', undefined],
    ['with a plus that is encoded', 'token=c2hhcmVk%2Bc2VjcmV0%2Fw%3D%3D', undefined],
    ['as a bearer', '', 'Bearer a-shared-secret-of-some-length'],
    ['as a bearer in another case', '', 'bearer a-shared-secret-of-some-length'],
  ])('accepts the token %s', async (_case, query, authorization) => {
    expect(await verify(requestOf(query, authorization))).toBe('authentic');
  });

  it.each<[string, string, string | string[] | undefined]>([
    ['no token', '', undefined],
    ['an empty token', 'token=', 'Bearer '],
    ['a prefix', 'token=a-shared-secret', undefined],
    ['a longer token', 'token=a-shared-secret-of-some-length-and-more', undefined],
    ['another scheme', '', 'Basic a-shared-secret-of-some-length'],
    ['both at once', 'token=a-shared-secret-of-some-lengththe-next-secret-of-some-length', undefined],
    ['a guess beside it', 'token=a-shared-secret-of-some-length&token=guess', undefined],
    ['a header twice', '', ['Bearer a-shared-secret-of-some-length', 'Bearer guess']],
    ['a wrong token beside it', 'token=a-shared-secret-of-some-length', 'Bearer guess'],
    ['another name', 'Token=a-shared-secret-of-some-length', undefined],
  ])('refuses %s', async (_case, query, authorization) => {
    expect(await verify(requestOf(query, authorization))).toBe('refused');
  });
});
