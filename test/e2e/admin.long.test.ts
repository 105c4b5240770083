import { describe, expect, it } from 'vitest';
import { callsTo } from '../admin/open-admin.ts';
import { runAdmin } from '../cli/running-command.ts';
import { useSystem } from '../support/shared-system.ts';

// What is refused is not asked for again in these tests, which would mark it again.
const shared = useSystem({ env: { WAREHOUSE_READ_LAG_MS: '1000', RETRY_SLOW_MS: '3600000' } });

describe('an operator', () => {
  it('sees an order with its timeline and refreshes it, also on the command line', async () => {
    const { simulator, tenants, announced, service } = shared();
    const { tplId } = (tenants[0] as (typeof tenants)[number]).simulated;
    const { get, post } = callsTo(service().admin.url);
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    await expect.poll(() => announced(orderId)).toEqual(['1/created']);
    const path = `/subjects/${tplId}/order/${orderId}`;
    await expect
      .poll(async () => (await get(path)).body)
      .toMatchObject({
        stage: 'created',
        attention: [],
        customerId: expect.any(String),
        retrievals: [{ gets: [{ operation: 'getOrder', status: 200 }, { operation: 'getCustomer' }], failure: null }],
        announcements: [{ revision: 1, state: 'sent' }],
      });
    await simulator.emit(orderId, 'OrderConfirm', { deliver: false });
    expect(await post(`${path}/refresh`)).toMatchObject({ status: 200, body: { stage: 'confirmed' } });
    await expect.poll(() => announced(orderId)).toEqual(['1/created', '2/confirmed inferred']);

    const env = { ADMIN_URL: service().admin.url };
    const { code, stdout } = await runAdmin(['show', 'order', orderId], env);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^stage +confirmed$/m);
    expect(stdout).toMatch(
      /^Timeline\n\S+Z webhook OrderCreate .*\n\S+Z GET order 200 .*\n\S+Z 1\/created to default: sent$/m,
    );
    expect(stdout).toMatch(
      new RegExp(
        `^order:${tplId}:${orderId}/1/created +default +order:${tplId}:${orderId} +order.created +\\d+ +1 +sent `,
        'm',
      ),
    );
  });
});
