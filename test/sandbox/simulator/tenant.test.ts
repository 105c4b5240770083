import { describe, expect, it } from 'vitest';
import { pickJobIdOf } from '../../../sandbox/simulator/kinds/order/state.ts';
import type { Simulator } from '../../../sandbox/simulator/simulator.ts';
import type { Tenant } from '../../../sandbox/simulator/tenant.ts';
import { everyEvent, get, openReceiver, openSimulator, requestToken } from './open.ts';

const TPL = 'ABCDEF01-2345-6789-abcd-ef0123456789';
const HAL = 'application/hal+json';

/** Opens two tenants, the second with its own GUID and clocks. */
async function openTwo(options: Parameters<typeof openSimulator>[0] = {}) {
  const simulator = await openSimulator({
    tenants: [{ tplId: 9104 }, { tplId: 9105, tpl: TPL, utcOffsetMinutes: 60 }],
    ...options,
  });
  return { simulator, one: simulator.tenant(9104), other: simulator.tenant(9105) };
}

const fresh = (tenant: Tenant) => tenant.createOrder({ customerId: 418 });

describe('two tenants of one warehouse', () => {
  it('has ids that fit 32 bits, as those who read them expect', async () => {
    const simulator = await openSimulator({ firstId: 2_000_000_000 - 600_000_000 });
    const id = fresh(simulator);
    await simulator.emit(id, 'OrderPickJobUserAssigned');
    await simulator.emit(id, 'OrderPackComplete');
    const kinds = ['receipt', 'adjustment', 'assembly', 'item', 'hold'] as const;
    const { body } = await get(simulator, `/orders/${id}?detail=All`);
    const ids = JSON.stringify(body).match(/(?<=Id":)\d+/g) ?? [];
    expect(ids.length).toBeGreaterThan(4);
    for (const one of [id, ...kinds.map((kind) => simulator.create(kind)), ...ids])
      expect(Number(one)).toBeLessThan(2 ** 31);
    const [job] = JSON.stringify(body).match(/(?<=pickjobs\/)\d+/) ?? [];
    expect((await get(simulator, `/orders/pickjobs/${job}/picklist`)).status).toBe(200);
  });

  it('may use the same id for different orders', async () => {
    const { simulator, one, other } = await openTwo();
    const mine = fresh(one);
    const theirs = fresh(other);
    expect(theirs).toBe(mine);
    await one.emit(mine, 'OrderConfirm');
    const status = async (caller: Tenant) =>
      (await get(simulator, `/orders/${mine}`, HAL, caller)).body.readOnly.status;
    expect([await status(one), await status(other)]).toEqual([1, 0]);
    expect(one.truth()).toMatchObject([{ tenant: '9104', id: mine, stage: 'confirmed' }]);
    expect(other.truth()).toMatchObject([{ tenant: '9105', id: mine, stage: 'created', events: [] }]);
  });

  it("do not find each other's data", async () => {
    const { simulator, one, other } = await openTwo();
    const id = fresh(one);
    const [orderItemId] = one.orderItemIds(id);
    await one.emit(id, 'OrderPickJobUserAssigned');
    for (const path of [
      `/orders/${id}`,
      `/orders/${id}/items/${orderItemId}`,
      `/orders/pickjobs/${pickJobIdOf(Number(id), 0)}/picklist`,
    ]) {
      expect((await get(simulator, path, HAL, one)).status).toBe(200);
      expect((await get(simulator, path, HAL, other)).status).toBe(404);
    }
    expect((await get(simulator, '/orders', HAL, one)).body.totalResults).toBe(1);
    expect((await get(simulator, '/orders', HAL, other)).body.totalResults).toBe(0);
    expect(() => other.orderItemIds(id)).toThrow('Nothing with the id');
  });

  it('notify their own webhooks only, each with its tplId', async () => {
    const { one, other } = await openTwo();
    const receivers = [await openReceiver(), await openReceiver()];
    one.setWebhooks([everyEvent('Order', receivers[0]?.url ?? '')]);
    other.setWebhooks([everyEvent('Order', receivers[1]?.url ?? '')]);
    const first = await one.emit(fresh(one), 'OrderCreate');
    const second = await other.emit(fresh(other), 'OrderCreate');
    expect(receivers.map(({ received }) => received.map(({ message }) => message.tplId))).toEqual([[9104], [9105]]);
    expect(second.id).toBe(first.id.replace('9104:', '9105:'));
    expect(second.subject).toEqual({ ...first.subject, tenant: '9105' });
  });

  it('play at the same time, each the same run as alone', async () => {
    const { one, other } = await openTwo();
    const alone = await openSimulator();
    const what = { orders: 5, stock: 2 };
    await Promise.all([one.play(what), other.play(what), alone.play(what)]);
    const runs = (tenant: Tenant) =>
      tenant
        .truth()
        .map(({ id, scenario, stage, events }) => ({ id, scenario, stage, names: events.map(({ name }) => name) }));
    expect(runs(one)).toEqual(runs(alone));
    expect(runs(other)).toEqual(runs(alone));
  });

  it('have their own clocks', async () => {
    const { simulator, one, other } = await openTwo({ utcOffsetMinutes: -300 });
    const time = Date.UTC(2036, 1, 11, 16, 42);
    const closed = async (tenant: Tenant) => {
      const id = fresh(tenant);
      await tenant.emit(id, 'OrderConfirm', { time });
      return (await get(simulator, `/orders/${id}`, HAL, tenant)).body.readOnly.processDate;
    };
    expect(await closed(one)).toBe('2036-02-11T11:42:00.000');
    expect(await closed(other)).toBe('2036-02-11T17:42:00.000');
  });
});

describe('a credential', () => {
  const dynamic = 'singleTenantDynamic';
  const askWith = async (
    simulator: Simulator,
    { clientId: id, clientSecret: secret }: Tenant['credentials'],
    body: object,
  ) => await requestToken(simulator, { id, secret, body });

  async function listWith(simulator: Simulator, granted: Response) {
    const { access_token } = (await granted.json()) as { access_token: string };
    const headers = { authorization: `Bearer ${access_token}`, accept: HAL };
    const answer = await fetch(`${simulator.baseUrl}/orders`, { headers });
    return { status: answer.status, body: await answer.json() };
  }

  const dataOf = async (simulator: Simulator, granted: Response) => (await listWith(simulator, granted)).body;

  it('that is static grants access to its own tenant only, whatever tpl it names', async () => {
    const { simulator, one, other } = await openTwo();
    fresh(one);
    expect(other.credentials.clientId).not.toBe(one.credentials.clientId);
    expect(await dataOf(simulator, await askWith(simulator, one.credentials, {}))).toMatchObject({ totalResults: 1 });
    const named = await askWith(simulator, other.credentials, { tpl: one.credentials.tpl });
    expect(await dataOf(simulator, named)).toMatchObject({ totalResults: 0 });
  });

  it('that is dynamic is shared by all tenants, and the tpl chooses the tenant of a token', async () => {
    const { simulator, one, other } = await openTwo();
    fresh(other);
    const mine = one.credentialOf(dynamic);
    const theirs = other.credentialOf(dynamic);
    expect(theirs).toEqual({ ...mine, tpl: TPL });
    const totals = await Promise.all(
      [mine.tpl, TPL, TPL.toLowerCase()].map(async (tpl) => dataOf(simulator, await askWith(simulator, mine, { tpl }))),
    );
    expect(totals).toMatchObject([{ totalResults: 0 }, { totalResults: 1 }, { totalResults: 1 }]);
    const unknown = await askWith(simulator, mine, { tpl: TPL.replace('A', 'B') });
    expect(unknown.status).toBe(401);
  });

  it('that is multi-tenant is shared by all tenants, and is refused data', async () => {
    const { simulator, one, other } = await openTwo();
    const { clientId, clientSecret } = one.credentialOf('multiTenant');
    expect(other.credentialOf('multiTenant')).toMatchObject({ clientId, clientSecret });
    const granted = await askWith(simulator, other.credentialOf('multiTenant'), {});
    expect(granted.status).toBe(200);
    const forbidden = { ErrorCode: 'Forbidden', Hint: expect.any(String) };
    expect(await listWith(simulator, granted)).toMatchObject({ status: 403, body: forbidden });
  });
});

describe('a simulator', () => {
  it('acts as its first tenant', async () => {
    const { simulator, one } = await openTwo();
    const id = fresh(simulator);
    expect(simulator.tplId).toBe(9104);
    expect(simulator.credentials).toEqual(one.credentials);
    expect(one.truth()).toMatchObject([{ id }]);
  });

  it('has only the tenants that its options name', async () => {
    const simulator = await openSimulator({ tplId: 77 });
    expect(simulator.tenant(77).tplId).toBe(77);
    expect(() => simulator.tenant(9104)).toThrow('No tenant 9104');
  });

  it.each([[[]], [[{ tplId: 1 }, { tplId: 1 }]]])('does not start with the tenants %j', async (tenants) => {
    await expect(openSimulator({ tenants })).rejects.toThrow('Each tenant needs a tplId of its own');
  });
});
