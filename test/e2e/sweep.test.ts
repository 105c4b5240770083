import { describe, expect, it } from 'vitest';
import { startSweptSystem } from '../support/swept-system.ts';
import type { SystemTenant } from '../support/system.ts';

describe('a sweep', () => {
  it.each([-720, 0, 840])('finds recent changes in a warehouse %d minutes from UTC', async (offset) => {
    const { simulator, sweep } = await startSweptSystem({ simulator: { utcOffsetMinutes: offset } });
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate', { deliver: false });
    expect(await sweep({ since: Date.now() - 60_000 })).toMatchObject({ tallies: { order: { rows: 1, fed: 1 } } });
    const { order } = (await sweep({ since: Date.now() - 60_000, overlapMs: 0 })).tallies;
    expect(order?.rows).toBe(offset < 0 ? 0 : 1);
  });

  it('of many pages continues as new with the same result', async () => {
    const { simulator, sweep, service, tenant } = await startSweptSystem();
    for (let i = 0; i < 12; i += 1) simulator.createOrder();
    expect(await sweep({ pageSize: 5, pagesPerRun: 1 })).toMatchObject({
      tallies: { order: { rows: 12, differing: 12, fed: 12 }, receipt: { rows: 0 } },
    });
    const ended = `WorkflowId = 'reconcile:${tenant}:on-demand' AND ExecutionStatus = 'ContinuedAsNew'`;
    const { workflow } = service().webhook.client;
    await expect
      .poll(async () => (await Array.fromAsync(workflow.list({ query: ended }))).length, { timeout: 20_000 })
      .toBe(5);
  });

  it('covers one tenant, although another has the same orders', async () => {
    const { tenants, sweep } = await startSweptSystem({ tenants: [{}, {}] });
    const [swept, other] = tenants as [SystemTenant, SystemTenant];
    const orderId = swept.simulated.createOrder();
    expect(other.simulated.createOrder()).toBe(orderId);
    expect(await sweep()).toMatchObject({ tenant: swept.tenant, tallies: { order: { fed: 1 } } });
    await expect.poll(() => swept.announced(orderId), { timeout: 20_000 }).toEqual(['1/created inferred']);
    expect(other.announced(orderId)).toEqual([]);
  });

  it('can cover adjustments and assemblies too', async () => {
    const { simulator, sweep, announced } = await startSweptSystem({
      env: { RECONCILE_KINDS: 'adjustment,assembly' },
    });
    const adjustment = simulator.create('adjustment');
    const assembly = simulator.create('assembly');
    await simulator.emit(assembly, 'AssemblyConfirm', { deliver: false });
    await sweep();
    await expect.poll(() => announced(adjustment, 'adjustment'), { timeout: 20_000 }).toEqual(['1/created inferred']);
    await expect
      .poll(() => announced(assembly, 'assembly'), { timeout: 20_000 })
      .toEqual(['1/created inferred', '2/completed inferred']);
  });

  it('fails if the warehouse does not apply its filter, and ingests nothing', async () => {
    const { simulator, sweep, announced, service } = await startSweptSystem({ simulator: { utcOffsetMinutes: -720 } });
    const orderId = simulator.createOrder();
    await simulator.emit(orderId, 'OrderCreate');
    await expect.poll(() => announced(orderId), { timeout: 20_000 }).toHaveLength(1);
    await simulator.emit(orderId, 'OrderConfirm', { deliver: false });
    simulator.setFaults({ ignoreRql: true });
    await expect(sweep({ overlapMs: 0 })).rejects.toThrow(
      new RegExp(
        `^order: GET /orders answered with order ${orderId}, changed .+: the warehouse did not apply the filter$`,
      ),
    );
    const taken = service().store.db.selectFrom('inbox').where('endpoint', '=', 'reconciliation').selectAll();
    expect(await taken.execute()).toEqual([]);
    simulator.setFaults({ ignoreRql: false });
    await sweep();
    expect(await taken.execute()).toHaveLength(1);
    expect(service().webhook.counts()).toMatchObject({ accepted: 1, duplicates: 0 });
  });

  it('of a kind that may not be listed fails in the end and does not hold up other kinds', async () => {
    const { simulator, sweep, announced } = await startSweptSystem({
      env: { RETRY_SLOW_MS: '10', RECONCILE_KINDS: 'receipt,order' },
      simulator: { faults: { forbidden: ['getReceivers'] } },
    });
    const orderId = simulator.createOrder();
    await expect(sweep()).rejects.toThrow(/^receipt: GET \/inventory\/receivers answered 403/);
    await expect.poll(() => announced(orderId), { timeout: 20_000 }).toEqual(['1/created inferred']);
  });

  it('waits until the warehouse answers again', async () => {
    const { simulator, sweep, announced } = await startSweptSystem({ simulator: { faults: { down: true } } });
    const orderId = simulator.createOrder();
    const sweeping = sweep();
    await expect.poll(() => simulator.counts().calls.getOrders, { timeout: 20_000 }).toBeGreaterThan(1);
    simulator.setFaults({ down: false });
    expect(await sweeping).toMatchObject({ tallies: { order: { rows: 1 } } });
    await expect.poll(() => announced(orderId), { timeout: 20_000 }).toEqual(['1/created inferred']);
  });
});
