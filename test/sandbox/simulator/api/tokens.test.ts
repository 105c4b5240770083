import { describe, expect, it } from 'vitest';
import { openSimulator, requestToken } from '../open.ts';

describe('the token endpoint', () => {
  it('answers 200 with a long bearer token, its lifetime, and null for scope and refresh_token', async () => {
    const response = await requestToken(await openSimulator({ tokenLifetimeSeconds: 2700 }));
    expect(response.status).toBe(200);
    const body = (await response.json()) as { access_token: string };
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 2700,
      refresh_token: null,
      scope: null,
    });
    expect(body.access_token.length).toBeGreaterThan(1000);
  });

  it.each([
    ['an unknown client', { id: 'nobody' }],
    ['a wrong secret', { secret: 'wrong' }],
  ])('answers 401 to %s', async (_, request) => {
    const response = await requestToken(await openSimulator(), request);
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ Message: 'invalid_client: client not registered' });
  });

  it.each([
    ['grant_type', { grant_type: undefined }, 'Required'],
    ['grant_type', { grant_type: 'password' }, 'NotParsable'],
    ['user_login', { user_login: undefined }, 'Required'],
    ['user_login', { user_login: '' }, 'Required'],
  ])('answers 400 in the vendor form to an invalid %s: %o', async (field, body, code) => {
    const response = await requestToken(await openSimulator(), { body });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ $type: expect.any(String), ErrorCode: code, Hint: field });
  });

  it.each([
    ['integration@dockline.example', 200],
    ['another', 401],
  ])('takes user_login_id %s beside user_login, and answers %i', async (user_login_id, status) => {
    const simulator = await openSimulator({ manners: { checksLogin: true } });
    const body = { user_login: undefined, user_login_id };
    expect((await requestToken(simulator, { body })).status).toBe(status);
  });

  it('requires the GUID of the tenant with a single-tenant dynamic credential', async () => {
    const simulator = await openSimulator();
    const { clientId: id, clientSecret: secret, tpl } = simulator.credentialOf('singleTenantDynamic');
    const status = async (body: object) => (await requestToken(simulator, { id, secret, body })).status;
    expect(await status({})).toBe(400);
    expect(await status({ tpl: 'not a GUID' })).toBe(400);
    expect(await status({ tpl: '00000000-0000-0000-0000-000000000000' })).toBe(401);
    expect(await status({ tpl })).toBe(200);
  });
});
