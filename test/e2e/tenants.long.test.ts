import { describe, expect, it } from 'vitest';
import { callsTo } from '../admin/open-admin.ts';
import { type System, type SystemOptions, type SystemTenant, startSystem } from '../support/system.ts';
import type { TenantOptions } from '../support/tenants.ts';

/** More announcements than one worker sends concurrently, and more GETs than it makes. */
const MORE_THAN_SLOTS = 105;

/** Starts a system of two tenants; the second has the given options. */
async function startTwo(second: TenantOptions = {}, env: SystemOptions['env'] = {}) {
  const system = await startSystem({ tenants: [{}, second], env });
  const [a, b] = system.tenants as readonly [SystemTenant, SystemTenant];
  return { system, a, b };
}

async function lastFailure({ service }: System, workflowId: string) {
  const description = await service().webhook.client.workflow.getHandle(workflowId).describe();
  return description.raw.pendingActivities?.[0]?.lastFailure;
}

describe('a tenant', () => {
  it('whose warehouse hangs with more calls than one worker makes concurrently does not hold up another', async () => {
    const { a, b } = await startTwo({ apart: true }, { WAREHOUSE_TIMEOUT_MS: '2000' });
    // The public key must be cached before.
    await b.simulated.emit(b.simulated.createOrder(), 'OrderPickJobUserAssigned');
    b.simulator.setFaults({ latencyMs: 3_600_000 });
    const hanging = Array.from({ length: MORE_THAN_SLOTS }, () => b.simulated.createOrder());
    await Promise.all(hanging.map((id) => b.simulated.emit(id, 'OrderCreate')));
    await expect.poll(() => b.simulator.counts().calls.getOrder ?? 0).toBeGreaterThan(90);
    const id = a.simulated.createOrder();
    await a.simulated.emit(id, 'OrderCreate');
    await expect.poll(() => a.announced(id)).toEqual(['1/created']);
    expect(hanging.flatMap((one) => b.announced(one))).toEqual([]);
  });

  it('that is no longer configured has its orders wait until it is configured again', async () => {
    const system = await startSystem();
    const { simulator, announced, workflowId, tenants, restart } = system;
    const id = simulator.createOrder();
    await simulator.emit(id, 'OrderPickJobUserAssigned');
    await expect.poll(() => announced(id)).toEqual(['1/pickerAssigned']);
    simulator.setFaults({ down: true });
    await simulator.emit(id, 'OrderConfirm');
    const message = async () => (await lastFailure(system, workflowId(id)))?.message;
    await expect.poll(message).toContain('answered 503');
    simulator.setFaults({ down: false });

    const tenant = tenants[0]?.tenant ?? '';
    await restart({ WAREHOUSE_TENANT: 'another' });
    const later = simulator.createOrder();
    await simulator.emit(later, 'OrderPickJobUserAssigned');
    const quarantined = async () => (await callsTo(system.service().admin.url).get('/quarantine')).body.items;
    await expect.poll(quarantined).toHaveLength(1);
    expect([...announced(id), ...announced(later)]).toEqual(['1/pickerAssigned']);

    await restart({ WAREHOUSE_TENANT: tenant });
    await expect.poll(() => announced(later)).toEqual(['1/pickerAssigned']);
    await expect.poll(() => announced(id)).toEqual(['1/pickerAssigned', '2/created inferred', '3/confirmed']);
  });
});
