import { describe, expect, it } from 'vitest';
import { answerAsAsked, issueTokens, never, openWarehouse } from '../open-warehouse.ts';

describe('a token request', () => {
  it('is what the specification says, field by field', async () => {
    const { warehouse, tokenRequests } = await openWarehouse();
    await warehouse.getOrder('1', never);

    const [request] = tokenRequests();
    expect(request?.method).toBe('POST');
    expect(request?.target).toBe('/AuthServer/api/Token');
    expect(request?.headers).toMatchObject({
      authorization: 'Basic Y2xpZW50OnNlY3JldA==',
      'content-type': 'application/json; charset=utf-8',
      accept: 'application/json',
      'content-length': '59',
    });
    expect(request?.headers).not.toHaveProperty('transfer-encoding');
    expect(request?.body).toBe('{"grant_type":"client_credentials","user_login":"dockline"}');
  });

  it('names the tenant only if one is set', async () => {
    const { warehouse, tokenRequests } = await openWarehouse({}, { tpl: '{3a7b1c02-0000-4000-8000-1234567890ab}' });
    await warehouse.getOrder('1', never);
    expect(JSON.parse(tokenRequests()[0]?.body ?? '')).toEqual({
      grant_type: 'client_credentials',
      user_login: 'dockline',
      tpl: '{3a7b1c02-0000-4000-8000-1234567890ab}',
    });
  });

  it('goes below the path of the address of the token server', async () => {
    const server = await openWarehouse();
    const { warehouse, tokenRequests } = await openWarehouse({}, { authUrl: `${server.url}/secure/` });
    await warehouse.getOrder('1', never).catch(() => undefined);
    expect(tokenRequests()).toHaveLength(0);
    expect(server.tokenRequests().map(({ target }) => target)).toEqual(['/secure/AuthServer/api/Token']);
  });

  it('is one for all callers', async () => {
    const { warehouse, tokenRequests, gets } = await openWarehouse();
    await Promise.all(['1', '2', '3', '4'].map((id) => warehouse.getOrder(id, never)));
    expect(tokenRequests()).toHaveLength(1);
    expect(new Set(gets().map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer token-1']));
  });

  it('goes on for the others when one caller gives up', async () => {
    const gate = Promise.withResolvers<void>();
    const issue = issueTokens();
    const { warehouse, tokenRequests } = await openWarehouse({ token: () => gate.promise.then(issue) });
    const controller = new AbortController();
    const first = warehouse.getOrder('1', controller.signal);
    const second = warehouse.getOrder('2', never);
    await expect.poll(() => tokenRequests().length).toBe(1);

    controller.abort(new Error('given up'));
    await expect(first).rejects.toThrow('given up');
    gate.resolve();
    await expect(second).resolves.toMatchObject({ snapshot: { packDone: false } });
    expect(tokenRequests()).toHaveLength(1);
  });

  it('is made anew after one that failed', async () => {
    const issue = issueTokens();
    const replies = [{ status: 503 }, issue()];
    const { warehouse } = await openWarehouse({ token: () => replies.shift() ?? issue() });
    await expect(warehouse.getOrder('1', never)).rejects.toMatchObject({ code: 'ERR_WAREHOUSE_TOKEN' });
    await expect(warehouse.getOrder('1', never)).resolves.toBeDefined();
  });
});

describe('a token', () => {
  it.each([
    { expiresIn: 1000, renewedAfterMs: 800_000 },
    { expiresIn: 3600, renewedAfterMs: 1_800_000 },
    { expiresIn: '1000', renewedAfterMs: 800_000 },
    { expiresIn: 0, renewedAfterMs: 1_800_000 },
    { expiresIn: -5, renewedAfterMs: 1_800_000 },
    { expiresIn: 'soon', renewedAfterMs: 1_800_000 },
    { expiresIn: null, renewedAfterMs: 1_800_000 },
    { expiresIn: undefined, renewedAfterMs: 1_800_000 },
  ])('that expires in $expiresIn s is renewed after $renewedAfterMs ms', async ({ expiresIn, renewedAfterMs }) => {
    let time = 1_000_000;
    const { warehouse, tokenRequests, gets } = await openWarehouse(
      { token: issueTokens(expiresIn) },
      { now: () => time },
    );
    await warehouse.getOrder('1', never);
    time += renewedAfterMs - 1;
    await warehouse.getOrder('1', never);
    expect(tokenRequests()).toHaveLength(1);
    time += 1;
    await warehouse.getOrder('1', never);
    expect(tokenRequests()).toHaveLength(2);
    expect(gets().map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-1',
      'Bearer token-1',
      'Bearer token-2',
    ]);
  });

  it('that is answered with 401 is renewed once for all who held it', async () => {
    const both = Promise.withResolvers<void>();
    let rejected = 0;
    const { warehouse, tokenRequests, gets } = await openWarehouse({
      api: async ({ headers, target }) => {
        if (headers.authorization !== 'Bearer token-1') return answerAsAsked({ target });
        rejected += 1;
        if (rejected === 2) both.resolve();
        await both.promise;
        return { status: 401 };
      },
    });
    await Promise.all([warehouse.getOrder('1', never), warehouse.getOrder('2', never)]);
    expect(tokenRequests()).toHaveLength(2);
    expect(gets()).toHaveLength(4);
    expect(warehouse.calls()).toBe(4);
  });

  it('that is answered with 401 after its renewal is not renewed again', async () => {
    const renewed = Promise.withResolvers<void>();
    const { warehouse, tokenRequests, gets } = await openWarehouse({
      api: async ({ headers, target }) => {
        if (headers.authorization !== 'Bearer token-1') return answerAsAsked({ target });
        if (target === '/orders/2') await renewed.promise;
        return { status: 401 };
      },
    });
    const slow = warehouse.getOrder('2', never);
    await expect.poll(() => gets().length).toBe(1);
    await warehouse.getOrder('1', never);
    renewed.resolve();
    await slow;
    expect(tokenRequests()).toHaveLength(2);
  });

  it('is renewed once only: a second 401 is the answer', async () => {
    const { warehouse, tokenRequests, gets } = await openWarehouse({ api: () => ({ status: 401 }) });
    await expect(warehouse.getOrder('1', never)).rejects.toMatchObject({
      code: 'ERR_WAREHOUSE_TOKEN',
      message: 'GET /orders/1 answered 401 to a new token',
    });
    expect(tokenRequests()).toHaveLength(2);
    expect(gets()).toHaveLength(2);
  });
});

describe('a refusal of the token server', () => {
  it.each([
    { status: 400, code: 'ERR_WAREHOUSE_UNAUTHENTICATED' },
    { status: 401, code: 'ERR_WAREHOUSE_UNAUTHENTICATED' },
    { status: 403, code: 'ERR_WAREHOUSE_UNAUTHENTICATED' },
    { status: 404, code: 'ERR_WAREHOUSE_UNAUTHENTICATED' },
    { status: 302, code: 'ERR_WAREHOUSE_UNAUTHENTICATED' },
    { status: 429, code: 'ERR_WAREHOUSE_TOKEN' },
    { status: 503, code: 'ERR_WAREHOUSE_TOKEN' },
  ])('with $status is $code', async ({ status, code }) => {
    const body = { Message: 'invalid_client: client not registered' };
    const { warehouse, gets, url } = await openWarehouse({
      token: () => ({ status, body, headers: { 'retry-after': '7' } }),
    });
    await expect(warehouse.getOrder('1', never)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(new RegExp(`^POST ${url}/AuthServer/api/Token answered ${status}\\b`)),
      retryAfterMs: 7000,
    });
    expect(gets()).toHaveLength(0);
  });

  it.each([
    '',
    'not json',
    '[]',
    'null',
    '{"error":"temporarily_unavailable"}',
    '{"access_token":null}',
    '{"access_token":""}',
    '{"access_token":"abc\\n"}',
    '{"access_token":"två"}',
    '{"access_token":{"value":"abc"}}',
    '{"access_token":"abc","expi',
  ])('with 200 and %j is no token, and nothing is sent with it', async (body) => {
    const replies = [{ body }];
    const issue = issueTokens();
    const { warehouse, gets } = await openWarehouse({ token: () => replies.shift() ?? issue() });
    await expect(warehouse.getOrder('1', never)).rejects.toMatchObject({ code: 'ERR_WAREHOUSE_TOKEN' });
    expect(gets()).toHaveLength(0);
    await expect(warehouse.getOrder('1', never)).resolves.toBeDefined();
  });

  it.each([
    { headers: { 'content-type': 'text/html' }, body: '<html>Maintenance</html>' },
    { headers: { 'content-type': 'text/html' }, body: { access_token: 'abc' } },
    { status: 202, body: { access_token: 'abc' } },
    { status: 206, body: { access_token: 'abc' } },
    { status: 204 },
  ])('that answers $status $headers is no token', async (reply) => {
    const { warehouse, gets } = await openWarehouse({ token: () => reply });
    await expect(warehouse.getOrder('1', never)).rejects.toMatchObject({ code: 'ERR_WAREHOUSE_TOKEN' });
    expect(gets()).toHaveLength(0);
  });

  it('that breaks the connection off is no token', async () => {
    const { warehouse, url } = await openWarehouse({ token: () => 'reset' });
    await expect(warehouse.getOrder('1', never)).rejects.toMatchObject({
      code: 'ERR_WAREHOUSE_TOKEN',
      message: `POST ${url}/AuthServer/api/Token failed: UND_ERR_SOCKET`,
    });
  });

  it.each<[status: number, body: object | string, setting: RegExp]>([
    [401, { Message: 'invalid_client: client not registered' }, /the client secret is wrong \(WAREHOUSE_CLIENT_ID, /],
    [400, { error: 'unauthorized_client' }, /the client secret is wrong/],
    [401, { Message: 'invalid_client: user login not found' }, /does not know the user login \(WAREHOUSE_USER_LOGIN\)/],
    [400, { error: 'invalid_grant' }, /does not know the user login/],
    [400, { ErrorCode: 'Required', Hint: 'tpl' }, /\(ErrorCode Required\): .+ WAREHOUSE_TPL/],
    [401, 'no', /WAREHOUSE_CLIENT_ID, WAREHOUSE_CLIENT_SECRET, WAREHOUSE_USER_LOGIN/],
    [404, '<html>', /WAREHOUSE_AUTH_URL is a base address, .+; there is no token server at this one/],
  ])('with %i and %j names what is wrong, and not the answer', async (status, body, setting) => {
    const { warehouse } = await openWarehouse({ token: () => ({ status, body }) });
    await expect(warehouse.getOrder('1', never)).rejects.toThrow(setting);
    await expect(warehouse.getOrder('1', never)).rejects.not.toThrow(/not found|registered|html/);
  });

  it('whose address has a path in it names the path that is too much, and no credential', async () => {
    const server = await openWarehouse({ token: () => ({ status: 404 }) });
    const authUrl = `${server.url.replace('//', '//somebody:hidden@')}/AuthServer/api?key=hidden`;
    const { warehouse } = await openWarehouse({}, { authUrl });
    await expect(warehouse.getOrder('1', never)).rejects.toMatchObject({
      message:
        `POST ${server.url}/AuthServer/api/AuthServer/api/Token answered 404: WAREHOUSE_AUTH_URL is a base address, ` +
        'to which /AuthServer/api/Token is added; leave out its path /AuthServer/api',
    });
  });
});
