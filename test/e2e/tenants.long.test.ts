import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSummary } from '../../sandbox/demonstration/stored.ts';
import { everyWebhookRecord } from '../../sandbox/simulator/webhooks/record.ts';
import { callsTo } from '../admin/open-admin.ts';
import { destinationOf } from '../support/make.ts';
import { useSystem } from '../support/shared-system.ts';
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

const others = {
  plain: {},
  alike: {},
  alone: { ownReceiver: true },
  strange: { tpl: randomUUID() },
  slow: { settings: { callsPerSecond: 0.2 } },
  multi: { credential: 'multiTenant' },
} as const satisfies Record<string, TenantOptions>;

const shared = useSystem({ tenants: [{}, ...Object.values(others)] });

/** Returns the shared system with its first tenant and one of the others. */
function shareTwo(other: keyof typeof others) {
  const system = shared();
  const [a, ...rest] = system.tenants as readonly [SystemTenant, ...SystemTenant[]];
  return { system, a, b: rest[Object.keys(others).indexOf(other)] as SystemTenant };
}

/** Ends the workflows of orders that no retry helps, so that none goes on beside other tests. */
async function endAll({ service }: System, workflowIds: readonly string[]): Promise<void> {
  const { workflow } = service().webhook.client;
  await Promise.all(workflowIds.map((id) => workflow.getHandle(id).terminate()));
}

async function lastFailure({ service }: System, workflowId: string) {
  const description = await service().webhook.client.workflow.getHandle(workflowId).describe();
  return description.raw.pendingActivities?.[0]?.lastFailure;
}

describe('two tenants behind one warehouse and one credential', () => {
  it('have the same ids but share no workflow, token, resource or announcement', async () => {
    const { system, b: a } = shareTwo('plain');
    const { b } = shareTwo('alike');
    const { token = 0 } = system.simulator.counts().calls;
    const id = a.simulated.createOrder({ referenceNum: 'of-a' });
    expect(b.simulated.createOrder({ referenceNum: 'of-b' })).toBe(id);
    for (const name of ['OrderCreate', 'OrderConfirm'] as const) await a.simulated.emit(id, name);
    await b.simulated.emit(id, 'OrderCreate');

    await expect.poll(() => a.announced(id)).toEqual(['1/created', '2/confirmed']);
    await expect.poll(() => b.announced(id)).toEqual(['1/created']);
    expect([a.workflowId(id), b.workflowId(id)]).toEqual([`order:${a.tenant}:${id}`, `order:${b.tenant}:${id}`]);
    expect([(await a.view(id)).stage, (await b.view(id)).stage]).toEqual(['confirmed', 'created']);
    expect((await a.announcement(id, 'created')).data.order.referenceNum).toBe('of-a');
    expect((await b.announcement(id, 'created')).data.order.referenceNum).toBe('of-b');
    expect(system.simulator.counts().calls.token).toBe(token + 2);
    expect(system.receiver.tally()).toEqual({ received: 3, duplicates: 0, outOfOrder: 0 });
  });

  it('announce each to their own destination with their own secret, and one that is down holds up only its own', async () => {
    const { system, a, b } = shareTwo('alone');
    b.receiver.setAnswer(503);
    const id = a.simulated.createOrder();
    const held = b.simulated.createOrder();
    await b.simulated.emit(held, 'OrderCreate');
    await a.simulated.emit(id, 'OrderCreate');
    await expect.poll(() => a.announced(id)).toEqual(['1/created']);
    b.receiver.setAnswer(204);
    await expect.poll(() => b.announced(held)).toEqual(['1/created']);
    expect([system, b].map(({ receiver }) => [receiver.tally().received, receiver.refused()])).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });

  it('announce each to their own destination, and one that hangs holds up neither recording nor the other', async () => {
    const hanging = createServer(() => {});
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    const { port } = hanging.address() as AddressInfo;
    const destination = destinationOf({
      url: `http://127.0.0.1:${port}/`,
      secret: [`whsec_${'c2VjcmV0'.repeat(4)}`],
    });
    const { system, a, b } = await startTwo(
      { settings: { destinations: [destination] } },
      { ANNOUNCE_TIMEOUT_MS: '2000' },
    );
    // Closes before the system, which would wait for its requests.
    onTestFinished(() => {
      hanging.closeAllConnections();
      hanging.close();
    });
    const ids = Array.from({ length: MORE_THAN_SLOTS }, () => b.simulated.createOrder());
    await Promise.all(ids.map((id) => b.simulated.emit(id, 'OrderCreate')));
    await expect.poll(() => system.service().store.inbox.waiting()).toBe(0);

    const id = a.simulated.createOrder();
    await a.simulated.emit(id, 'OrderCreate');
    await expect.poll(() => a.announced(id)).toEqual(['1/created']);
    expect((await b.view(ids[0] ?? '')).waiting.announcements).toBe(1);
  });

  it('have their own endpoints: a message at the wrong one is accepted and quarantined', async () => {
    const { system, a, b } = shareTwo('plain');
    const answered = system.simulator.counts().answered[200] ?? 0;
    const counted = system.service().webhook.counts();
    a.simulated.setWebhooks(everyWebhookRecord(b.url));
    await a.simulated.emit(a.simulated.createOrder(), 'OrderCreate');
    a.simulated.setWebhooks(everyWebhookRecord(a.url));
    expect(system.simulator.counts().answered).toEqual({ 200: answered + 1 });
    expect(system.service().webhook.counts()).toEqual({ ...counted, quarantined: 1 });
    expect(await createSummary(system.service().store).quarantined()).toEqual([
      { reason: `names tenant ${a.tenant} at the endpoint of ${b.tenant}`, count: 1 },
    ]);
  });

  it('wait alone for a tpl that the warehouse does not know', async () => {
    const { system, a, b } = shareTwo('strange');
    const id = a.simulated.createOrder();
    const held = b.simulated.createOrder();
    await b.simulated.emit(held, 'OrderCreate');
    await a.simulated.emit(id, 'OrderCreate');
    await expect
      .poll(async () => (await lastFailure(system, b.workflowId(held)))?.applicationFailureInfo?.type)
      .toBe('ERR_WAREHOUSE_UNAUTHENTICATED');
    await expect.poll(() => a.announced(id)).toEqual(['1/created']);
    expect(b.announced(held)).toEqual([]);
    await endAll(system, [b.workflowId(held)]);
  });

  it('have their own rates: exhausting one does not hold up the other', async () => {
    const { system, a, b } = shareTwo('slow');
    const [ofB, ofA] = [b, a].map(({ simulated }) => Array.from({ length: 8 }, () => simulated.createOrder())) as [
      string[],
      string[],
    ];
    for (const id of ofB) await b.simulated.emit(id, 'OrderCreate');
    for (const id of ofA) await a.simulated.emit(id, 'OrderCreate');
    await expect.poll(() => ofA.flatMap((id) => a.announced(id))).toHaveLength(8);
    expect(ofB.flatMap((id) => b.announced(id)).length).toBeLessThan(8);
    await endAll(
      system,
      ofB.map((id) => b.workflowId(id)),
    );
  });
});

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

  it('with a multi-tenant credential waits and reports a possible cause', async () => {
    const { system, b } = shareTwo('multi');
    const id = b.simulated.createOrder();
    await b.simulated.emit(id, 'OrderCreate');
    await expect
      .poll(async () => (await lastFailure(system, b.workflowId(id)))?.message)
      .toMatch(/answered 403.*: the roles of the credential do not allow it, or it is a multi-tenant credential$/);
    await endAll(system, [b.workflowId(id)]);
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
