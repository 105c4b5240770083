import { describe, expect, it } from 'vitest';
import { callsTo } from '../admin/open-admin.ts';
import { runAdmin } from '../cli/running-command.ts';
import { useSystem } from '../support/shared-system.ts';
import { startSystem } from '../support/system.ts';

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

  it('lists subjects whose GETs the warehouse refuses, and clears their marks', async () => {
    const { simulator, tenants, service, view } = shared();
    const { tplId } = (tenants[0] as (typeof tenants)[number]).simulated;
    const { get, post, all } = callsTo(service().admin.url);
    const ids = [simulator.createOrder(), simulator.createOrder(), simulator.createOrder()].toSorted();
    for (const id of ids) {
      const created = await simulator.emit(id, 'OrderCreate', { deliver: false });
      await simulator.emit(id, 'OrderDeleted', { deliver: false });
      await simulator.deliver(created);
    }
    const refused = async () => {
      const items = (await all('/subjects?attention=refused', 2)) as { readonly id: string }[];
      return items.map(({ id }) => id).toSorted();
    };
    await expect.poll(refused).toEqual(ids);
    expect((await get('/status')).body.attention).toEqual({ stalled: 0, refused: 3, unannounced: 0, failing: 0 });
    expect((await get('/subjects?attention=refused&kind=receipt')).body.items).toEqual([]);

    const [first = '', ...others] = ids;
    const released = await post(`/subjects/${tplId}/order/${first}/release`);
    expect(released).toMatchObject({ status: 200, body: { attention: [] } });
    expect((await view(first)).attention).toEqual([]);
    await expect.poll(refused).toEqual(others);
  });

  it('resends dead letters, even of an order whose workflow has completed', async () => {
    const { simulator, receiver, announced, service, workflowId } = await startSystem({
      env: { ANNOUNCE_FOR_MS: '2500', GRACE_PERIOD_MS: '500' },
    });
    const { get, post } = callsTo(service().admin.url);
    receiver.setAnswer(503);
    const open = simulator.createOrder();
    const over = simulator.createOrder();
    await simulator.emit(open, 'OrderCreate');
    await simulator.emit(over, 'OrderCreate');
    await simulator.emit(over, 'OrderCancel');
    const deadLettered = async () =>
      (await get('/announcements?state=dead-lettered')).body.items as { readonly id: string }[];
    await expect
      .poll(async () => (await deadLettered()).map(({ id }) => id).toSorted())
      .toEqual(
        [`${workflowId(open)}/1/created`, `${workflowId(over)}/1/created`, `${workflowId(over)}/2/canceled`].toSorted(),
      );
    expect((await get('/subjects?attention=unannounced')).body.items).toHaveLength(2);
    const workflow = service().webhook.client.workflow.getHandle(workflowId(over));
    const status = async () => (await workflow.describe()).status.name;
    await expect.poll(status).toBe('COMPLETED');

    receiver.setAnswer(204);
    const id = `${workflowId(open)}/1/created`;
    expect(await post(`/announcements/${id}/resend`)).toMatchObject({ status: 202, body: { asked: 1 } });
    await expect.poll(() => announced(open)).toEqual(['1/created']);
    await expect.poll(async () => (await deadLettered()).length).toBe(2);

    const { code, stdout } = await runAdmin(['bulk', 'resend', '--since', '1h', '--yes'], {
      ADMIN_URL: service().admin.url,
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^state +done$/m) });
    await expect.poll(() => announced(over)).toEqual(['1/created', '2/canceled']);
    await expect.poll(deadLettered).toEqual([]);
    expect((await get('/status')).body).toMatchObject({
      announcements: { unsent: 0, deadLettered: 0 },
      attention: { unannounced: 0 },
    });
    await expect.poll(status).toBe('COMPLETED');
    const [, tenant] = workflowId(over).split(':');
    const path = `/subjects/${tenant}/order/${over}`;
    expect(await post(`${path}/release`)).toMatchObject({ status: 409 });
    expect(await post(`${path}/refresh`)).toMatchObject({ status: 200, body: { stage: 'canceled' } });
  });
});
