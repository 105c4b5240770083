import { describe, expect, it } from 'vitest';
import { orderLifecycle } from '../support/order-lifecycle.ts';
import { useSystem } from '../support/shared-system.ts';

const shared = useSystem({ env: { WAREHOUSE_ORDER_DETAIL: 'contacts' } });

describe('the lifecycle of an order', () => {
  it('is announced event by event, once and in order', async () => {
    const { simulator, receiver, announced, view } = shared();
    const orderId = simulator.createOrder();
    for (const name of orderLifecycle) {
      const before = announced(orderId).length;
      await simulator.emit(orderId, name);
      await expect.poll(() => announced(orderId).length).toBeGreaterThan(before);
    }
    expect(announced(orderId)).toEqual([
      '1/created',
      '2/fullyAllocated',
      '3/picked',
      '4/packStarted',
      '5/packed',
      '6/confirmed',
    ]);
    expect(receiver.tally()).toEqual({ received: 6, duplicates: 0, outOfOrder: 0 });
    await expect
      .poll(() => view(orderId))
      .toMatchObject({
        stage: 'confirmed',
        attention: [],
        waiting: { events: 0, announcements: 0 },
      });
  });

  it('is visible in the Temporal UI', async () => {
    const { simulator, announced, service, workflowId } = shared();
    const orderId = simulator.createOrder({ customerId: 419, referenceNum: 'PO-77' });
    const { time } = await simulator.emit(orderId, 'OrderFullyAllocated');
    await expect.poll(() => announced(orderId)).toHaveLength(2);
    const workflow = service().webhook.client.workflow.getHandle(workflowId(orderId));
    const searchAttributes = async () => {
      const { typedSearchAttributes } = await workflow.describe();
      return Object.fromEntries(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));
    };
    // They change when the workflow task that announced them ends.
    await expect.poll(searchAttributes).toMatchObject({
      Stage: 'fullyAllocated',
      Customer: '419',
      Facility: expect.any(String),
      ReferenceNumber: 'PO-77',
      LastEventTime: new Date(time),
    });
    const description = await workflow.describe();
    expect(description.memo).toMatchObject({
      kind: 'order',
      id: orderId,
      reference: 'PO-77',
      customer: 'Brightwater Audio',
    });
    expect(await description.staticSummary()).toContain(`order ${orderId}`);

    const { currentDetails } = await workflow.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(currentDetails).toContain('### Order PO-77');
    expect(currentDetails).toMatch(/` GET order 200 in \d+ ms/);
    expect(currentDetails).toMatch(/\*\*fullyAllocated\*\* · revision 2 · OrderFullyAllocated \(\d+:\d+\)/);
    const { events = [] } = await workflow.fetchHistory();
    const summaries = events?.map(({ userMetadata }) => Buffer.from(userMetadata?.summary?.data ?? []).toString());
    expect(summaries).toContain('"OrderFullyAllocated"');
  });

  it('is announced with everything that was retrieved, and none of that enters a history', async () => {
    const { simulator, announced, service, workflowId } = shared();
    const orderId = simulator.createOrder({ customerId: 418 });
    await simulator.emit(orderId, 'OrderPickJobDone');
    await expect.poll(() => announced(orderId)).toHaveLength(2);
    const { db } = service().store;
    const sent = db
      .selectFrom('announcements')
      .select('body')
      .where('id', '=', `${workflowId(orderId)}/2/picked`);
    const body = Buffer.from((await sent.executeTakeFirst())?.body ?? []).toString();
    expect(JSON.parse(body).data).toMatchObject({
      milestone: 'picked',
      order: { readOnly: { orderId: Number(orderId) } },
      customer: { externalId: 'ALDER' },
      user: expect.any(Object),
      pickList: expect.any(Object),
    });
    expect(body).toContain('A. Example');

    const { events } = await service().webhook.client.workflow.getHandle(workflowId(orderId)).fetchHistory();
    const decode = (key: string, value: unknown) =>
      key === 'data' ? String(Buffer.from(String(value), 'base64')) : value;
    const history = JSON.stringify(events, decode);
    expect(history).toContain('OrderPickJobDone');
    expect(history).not.toContain('A. Example');
  });
});
