import { describe, expect, it } from 'vitest';
import { runChecks } from '../../../src/app/doctor/run-checks.ts';
import { createPace } from '../../../src/warehouse/client/pace.ts';
import { ELSEWHERE } from '../../support/http-proxy.ts';
import { find, openBlackHole, openExamined, verdictsOf } from './examining.ts';

/** Opens a warehouse with an order that names everything, and one record of each other kind. */
async function openFilled(options: Parameters<typeof openExamined>[0] = {}) {
  const opened = await openExamined(options);
  const { simulator } = opened;
  const id = simulator.createOrder();
  for (const name of ['OrderCreate', 'OrderFullyAllocated', 'OrderPickJobUserAssigned'] as const)
    await simulator.emit(id, name);
  for (const kind of ['receipt', 'adjustment', 'assembly'] as const) simulator.create(kind);
  return { ...opened, id };
}

describe('the check of a warehouse', () => {
  it('makes one GET of each operation, with ids that lists and the order name', async () => {
    const { simulator, examine, id } = await openFilled();
    const checks = await examine(['warehouse']);
    expect(Object.values(verdictsOf(checks))).toEqual(Array(15).fill('ok'));
    expect(find(checks, 'Get Order')).toMatchObject({ tenant: '9104', tried: `order ${id}`, ms: expect.any(Number) });
    expect(Object.keys(simulator.counts().calls)).toHaveLength(15);
  });

  it('skips what an empty warehouse cannot show', async () => {
    const { examine } = await openExamined();
    const checks = await examine(['warehouse']);
    expect(Object.groupBy(checks, ({ verdict }) => verdict)).toMatchObject({
      ok: ['token', 'Get Orders', 'Get Receivers', 'Get Adjustments', 'Get Assemblies'].map((name) => ({ name })),
      skipped: Array(10).fill({ ms: 0 }),
    });
    expect(find(checks, 'Get Order')?.found).toBe('no order is known');
  });

  it('names the role to ask for, and what is missing without it', async () => {
    const { examine } = await openFilled({ faults: { forbidden: ['getUser', 'getOrdersPicklist'] } });
    const checks = await examine(['warehouse']);
    expect(find(checks, 'Get User')).toMatchObject({
      verdict: 'warning',
      found: expect.stringMatching(/^GET \/uiproperties\/users\/\d+ answered 403/),
      advice: 'Ask the warehouse for a role that allows "Get User". Without it, announcements come without the user.',
    });
    expect(verdictsOf(checks)).toMatchObject({ 'Get Orders Picklist': 'warning', 'Get Order': 'ok' });
  });

  it('says what a warehouse that ignores filters is read without', async () => {
    const { examine } = await openFilled({ faults: { ignoreRql: true } });
    const checks = await examine(['warehouse']);
    expect(checks.find(({ name, tried }) => name === 'Get Orders' && tried.startsWith('the first row'))).toMatchObject({
      verdict: 'warning',
      advice:
        'the warehouse ignores the filter by readOnly.lastModifiedDate (set order.changed in WAREHOUSE_PROPERTIES); only open ones were listed: a closed one of which no event arrived is not found',
    });
  });

  it('makes its GETs in the turns of a running Dockline', async () => {
    const { simulator, config } = await openFilled();
    const pace = createPace({ perSecond: 200 });
    const signal = new AbortController().signal;
    const turns = await Promise.all(
      Array.from({ length: 200 }, () => pace.next({ signal, rank: () => 0, withinMs: 60_000 })),
    );
    let waiting = 0;
    const next: typeof pace.next = (asked) => {
      waiting += 1;
      return pace.next(asked);
    };
    const examined = runChecks({
      config,
      tenants: config.tenants,
      areas: ['warehouse'],
      stop: signal,
      paceOf: () => ({ ...pace, next }),
    });
    await expect.poll(() => waiting).toBeGreaterThan(0);
    expect(Object.keys(simulator.counts().calls)).toEqual(['token']);
    for (const turn of turns) turn.end();
    expect(Object.values(verdictsOf(await examined))).toEqual(Array(15).fill('ok'));
  });

  it('fails without the role for orders', async () => {
    const { examine } = await openFilled({ faults: { forbidden: ['getOrder'] } });
    const checks = await examine(['warehouse']);
    expect(verdictsOf(checks)).toMatchObject({ 'Get Orders': 'ok', 'Get Order': 'failed', 'Get User': 'skipped' });
  });

  it('says of a path that is not there that it may be another one', async () => {
    const { examine } = await openFilled({ manners: { guessedPaths: false } });
    expect(find(await examine(['warehouse']), 'Get Adjustments')).toMatchObject({
      verdict: 'warning',
      found: 'GET /inventory/adjustments answered 404 (ErrorCode NotFound)',
      advice: expect.stringContaining('The path may be another one'),
    });
  });

  it('says that the API and the token server may belong to different systems', async () => {
    const { examine } = await openFilled({ faults: { unauthenticated: true } });
    expect(find(await examine(['warehouse']), 'Get Orders')).toMatchObject({
      verdict: 'failed',
      advice: expect.stringContaining('WAREHOUSE_BASE_URL and WAREHOUSE_AUTH_URL may belong to different systems'),
    });
  });

  it('ends in time where nothing answers', async () => {
    const { examine } = await openFilled();
    const silent = `http://127.0.0.1:${await openBlackHole()}`;
    const noToken = await examine(['warehouse', 'webhook', 'machine'], { WAREHOUSE_AUTH_URL: silent }, 300);
    expect(find(noToken, 'token')).toMatchObject({
      verdict: 'failed',
      found: `POST ${silent}/AuthServer/api/Token failed: no whole answer within 300 ms`,
      advice: expect.stringContaining('WAREHOUSE_AUTH_URL'),
    });
    expect(find(noToken, 'operations')).toMatchObject({ verdict: 'skipped', found: 'there is no token' });

    const noApi = await examine(['warehouse'], { WAREHOUSE_BASE_URL: silent }, 300);
    expect(verdictsOf(noApi)).toMatchObject({ token: 'ok', 'Get Orders': 'failed', 'Get Order': 'skipped' });
  });
});

describe('the check of a token', () => {
  it.each([
    [{ WAREHOUSE_CLIENT_SECRET: 'another' }, /the client id or the client secret is wrong/],
    [{ WAREHOUSE_USER_LOGIN: 'somebody' }, /does not know the user login \(WAREHOUSE_USER_LOGIN\)/],
  ])('names what is wrong with %j', async (variables, found) => {
    const { examine } = await openExamined({ manners: { checksLogin: true } });
    const [token, ...others] = await examine(['warehouse'], variables);
    expect(token).toMatchObject({ name: 'token', verdict: 'failed', found: expect.stringMatching(found) });
    expect(others.map(({ verdict }) => verdict)).toEqual(['skipped']);
  });

  it('names a path that is too much, and the address that was asked', async () => {
    const { examine, simulator } = await openExamined();
    const [token] = await examine(['warehouse'], { WAREHOUSE_AUTH_URL: `${simulator.authUrl}/AuthServer/` });
    expect(token).toMatchObject({
      tried: `POST ${simulator.authUrl}/AuthServer/AuthServer/api/Token`,
      verdict: 'failed',
      found: expect.stringMatching(/answered 404.*; leave out its path \/AuthServer$/),
    });
  });
});

it('no result contains a secret', async () => {
  const { examine, right } = await openFilled({ manners: { token: 'jwt' } });
  const text = JSON.stringify([
    await examine(['warehouse', 'webhook', 'destination', 'machine']),
    await examine(['warehouse', 'destination'], {
      WAREHOUSE_CLIENT_SECRET: 'hidden',
      ANNOUNCE_URL: 'http://somebody:hidden@127.0.0.1:1/?key=hidden',
      ANNOUNCE_HEADERS: 'x-api-key=hidden',
    }),
    await examine(['warehouse', 'webhook', 'destination', 'machine'], {
      WAREHOUSE_BASE_URL: `https://${ELSEWHERE}`,
      WAREHOUSE_AUTH_URL: `https://${ELSEWHERE}`,
      ANNOUNCE_URL: `https://${ELSEWHERE}/?key=hidden`,
      ANNOUNCE_BEARER: 'hidden',
      HTTPS_PROXY: 'http://somebody:hidden@127.0.0.1:1',
    }),
  ]);
  expect(text).toContain('"failed"');
  expect(text).not.toContain('hidden');
  expect(text).not.toContain(right.WAREHOUSE_CLIENT_SECRET);
  expect(text).not.toContain(right.ANNOUNCE_SECRET);
});
