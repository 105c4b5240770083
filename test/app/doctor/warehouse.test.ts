import { describe, expect, it } from 'vitest';
import { checkDestinations } from '../../../src/app/doctor/receivers.ts';
import { checkWarehouse, checkWebhook } from '../../../src/app/doctor/warehouse.ts';
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
    const checks = await examine(checkWarehouse);
    expect(Object.values(verdictsOf(checks))).toEqual(Array(15).fill('ok'));
    expect(find(checks, 'Get Order')).toMatchObject({ area: 'warehouse 9104', found: `order ${id} was answered` });
    expect(Object.keys(simulator.counts().calls)).toHaveLength(15);
  });

  it('skips what an empty warehouse cannot show', async () => {
    const { examine } = await openExamined();
    const checks = await examine(checkWarehouse);
    expect(Object.groupBy(checks, ({ verdict }) => verdict)).toMatchObject({
      ok: [/^token of/, 'Get Orders', 'Get Receivers', 'Get Adjustments', 'Get Assemblies'].map((name) => ({
        name: expect.stringMatching(name),
      })),
      skipped: Array(10).fill({ advice: null }),
    });
    expect(find(checks, 'Get Order')?.found).toBe('no order is known');
  });

  it('names the role to ask for', async () => {
    const { examine } = await openFilled({ faults: { forbidden: ['getUser', 'getOrdersPicklist'] } });
    const checks = await examine(checkWarehouse);
    expect(find(checks, 'Get User')).toMatchObject({
      verdict: 'warning',
      found: expect.stringMatching(/^GET \/uiproperties\/users\/\d+ answered 403/),
      advice: 'Ask the warehouse for a role that allows "Get User".',
    });
    expect(verdictsOf(checks)).toMatchObject({ 'Get Orders Picklist': 'warning', 'Get Order': 'ok' });
  });

  it('fails without the role for orders', async () => {
    const { examine } = await openFilled({ faults: { forbidden: ['getOrder'] } });
    const checks = await examine(checkWarehouse);
    expect(verdictsOf(checks)).toMatchObject({ 'Get Orders': 'ok', 'Get Order': 'failed', 'Get User': 'skipped' });
  });

  it('says of a path that is not there that it may be another one', async () => {
    const { examine } = await openFilled({ manners: { guessedPaths: false } });
    expect(find(await examine(checkWarehouse), 'Get Adjustments')).toMatchObject({
      verdict: 'warning',
      found: 'GET /inventory/adjustments answered 404 (ErrorCode NotFound)',
      advice: expect.stringContaining('The path may be another one'),
    });
  });

  it('ends in time where nothing answers', async () => {
    const { examine } = await openFilled();
    const silent = `http://127.0.0.1:${await openBlackHole()}`;
    expect(await examine(checkWarehouse, { WAREHOUSE_AUTH_URL: silent }, 300)).toMatchObject([
      { verdict: 'failed', found: `POST ${silent}/AuthServer/api/Token failed: no whole answer within 300 ms` },
    ]);
    const noApi = await examine(checkWarehouse, { WAREHOUSE_BASE_URL: silent }, 300);
    expect(verdictsOf(noApi)).toMatchObject({ 'Get Orders': 'failed', 'Get Order': 'skipped' });
  });
});

describe('the check of a token', () => {
  it.each([
    [{ WAREHOUSE_CLIENT_SECRET: 'another' }, /the client id or the client secret is wrong/],
    [{ WAREHOUSE_USER_LOGIN: 'somebody' }, /does not know the user login \(WAREHOUSE_USER_LOGIN\)/],
  ])('names what is wrong with %j', async (variables, found) => {
    const { examine } = await openExamined({ manners: { checksLogin: true } });
    const [token, ...others] = await examine(checkWarehouse, variables);
    expect(token).toMatchObject({ verdict: 'failed', found: expect.stringMatching(found) });
    expect(others).toEqual([]);
  });

  it('names a path that is too much, and the address that was asked', async () => {
    const { examine, simulator } = await openExamined();
    const [token] = await examine(checkWarehouse, { WAREHOUSE_AUTH_URL: `${simulator.authUrl}/AuthServer/` });
    expect(token).toMatchObject({
      name: `token of ${simulator.authUrl}/AuthServer/AuthServer/api/Token`,
      verdict: 'failed',
      found: expect.stringMatching(/answered 404.*; leave out its path \/AuthServer$/),
    });
  });
});

describe('the check of a webhook', () => {
  it('fetches the key that verifies deliveries', async () => {
    const { examine } = await openExamined();
    expect(await examine(checkWebhook)).toMatchObject([{ verdict: 'ok', found: 'RSA with 2048 bits' }]);
  });

  it('fetches the key at the path that is set', async () => {
    const { examine } = await openExamined();
    const [check] = await examine(checkWebhook, { WAREHOUSE_PATHS: 'webhookKey=/keys/webhook' });
    expect(check).toMatchObject({ name: 'public key at /keys/webhook', verdict: 'failed', found: 'answered 404' });
    expect(check?.advice).toContain('WAREHOUSE_PATHS');
  });

  it('fetches no key where one is pinned', async () => {
    const { examine, simulator } = await openExamined();
    const { publicKey } = (await (await fetch(`${simulator.baseUrl}/events/webhook/key`)).json()) as {
      publicKey: string;
    };
    const pinned = { WEBHOOK_PUBLIC_KEY: publicKey, WAREHOUSE_BASE_URL: 'http://127.0.0.1:1' };
    expect(await examine(checkWebhook, pinned)).toMatchObject([{ verdict: 'skipped' }]);
  });
});

it('no result contains a secret', async () => {
  const { examine, right } = await openFilled({ manners: { token: 'jwt' } });
  const examineAll = async (variables: Readonly<Record<string, string>> = {}) => [
    await examine(checkWarehouse, variables),
    await examine(checkWebhook, variables),
    await examine(checkDestinations, variables),
  ];
  const text = JSON.stringify([
    await examineAll(),
    await examineAll({
      WAREHOUSE_CLIENT_SECRET: 'hidden',
      ANNOUNCE_URL: 'http://somebody:hidden@127.0.0.1:1/?key=hidden',
      ANNOUNCE_HEADERS: 'x-api-key=hidden',
    }),
    await examineAll({
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
