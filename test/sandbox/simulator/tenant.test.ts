import { describe, expect, it } from 'vitest';
import type { Simulator } from '../../../sandbox/simulator/simulator.ts';
import type { Tenant } from '../../../sandbox/simulator/tenant.ts';
import { get, openSimulator, requestToken } from './open.ts';

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
