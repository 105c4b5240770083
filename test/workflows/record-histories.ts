import { writeFile } from 'node:fs/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { afterAll, expect, it } from 'vitest';
import type { EventName } from '../../sandbox/simulator/kinds/kinds.ts';
import { type OrderScenario, orderScenarios } from '../../sandbox/simulator/scenarios/scenarios.ts';
import type { SubjectKind } from '../../src/domain/catalogue/subject.ts';
import { startSweptSystem } from '../support/swept-system.ts';
import { type System, startSystem } from '../support/system.ts';
import { bundleWitnessed, openWitnessedReplayer } from './replay-history.ts';

async function record(name: string, { service }: System, workflowId: string, runId?: string): Promise<void> {
  const history = await service().webhook.client.workflow.getHandle(workflowId, runId).fetchHistory();
  // Machine and paths of the recording stay out.
  const anonymous = (key: string, value: unknown) => {
    if (key === 'stackTrace') return '';
    return typeof value === 'string' ? value.replace(/\d+@[\w.-]+/, 'recorder') : value;
  };
  const json = JSON.stringify(JSON.parse(historyToJSON(history), anonymous));
  await writeFile(`test/histories/${name}.json`, `${json}\n`);
  // The current details at its end, as the Temporal UI shows them.
  replayer ??= openWitnessedReplayer(await bundleWitnessed());
  await writeFile(`test/histories/${name}.md`, await replayer.replay(JSON.parse(json), name));
}

let replayer: ReturnType<typeof openWitnessedReplayer> | undefined;
afterAll(() => replayer?.close());

it.each(orderScenarios)('records %s', async (scenario: OrderScenario) => {
  const system = await startSystem({ env: { GRACE_PERIOD_MS: '1000' } });
  await system.simulator.play({ orders: 1, scenarios: [scenario] });
  const orderId = system.simulator.truth()[0]?.id ?? '';
  const workflow = system.service().webhook.client.workflow.getHandle(system.workflowId(orderId));
  await expect.poll(async () => (await workflow.describe()).status.name).toBe('COMPLETED');
  await record(scenario, system, system.workflowId(orderId));
});

it.each<[SubjectKind, readonly EventName[]]>([
  ['receipt', ['ReceiptCreate', 'ReceiptComplete', 'ReceiptConfirm']],
  ['item', ['ItemCreate', 'ItemUpdate']],
  ['stock', ['InventorySummaryUpdate', 'InventorySummaryUpdate']],
  ['hold', ['InventoryPlaceOnHold', 'InventoryReleaseFromHold']],
])('records one %s', async (kind, events) => {
  const system = await startSystem();
  const { simulator, announced } = system;
  const id = simulator.create(kind);
  for (const [index, name] of events.entries()) {
    await simulator.emit(id, name);
    await expect.poll(() => announced(id, kind).length).toBe(index + 1);
  }
  await record(kind, system, system.workflowId(id, kind));
});

it('records an order whose lines are picked and packed, few and many at once', async () => {
  const system = await startSystem();
  const { simulator, announced, workflowId } = system;
  const id = simulator.createOrder({ lines: 8 });
  const [first = '', ...others] = simulator.orderItemIds(id);
  await simulator.emit(id, 'OrderItemPick', { orderItemId: first });
  await expect.poll(() => announced(id).length).toBe(2);
  await Promise.all(others.map((orderItemId) => simulator.emit(id, 'OrderItemPack', { orderItemId })));
  await expect.poll(() => announced(id).length).toBe(9);
  await record('orderItems', system, workflowId(id));
});

it('records an order that stalls, is refreshed and resumes, and one with a refused GET', async () => {
  const system = await startSystem({ env: { ORDER_STAGE_LIMITS: 'created=300' } });
  const { simulator, announced, view, service, workflowId } = system;
  const stalled = simulator.createOrder();
  await simulator.emit(stalled, 'OrderCreate');
  await expect.poll(() => announced(stalled)).toContain('2/stalled');
  await service().webhook.client.workflow.getHandle(workflowId(stalled)).executeUpdate('refresh');
  await simulator.emit(stalled, 'OrderFullyAllocated');
  await expect.poll(() => announced(stalled)).toContain('4/resumed');
  await record('stalled', system, workflowId(stalled));

  const refused = simulator.createOrder();
  const created = await simulator.emit(refused, 'OrderCreate', { deliver: false });
  await simulator.emit(refused, 'OrderDeleted', { deliver: false });
  await simulator.deliver(created);
  await expect.poll(async () => (await view(refused)).attention).toContain('refused');
  await record('refused', system, workflowId(refused));
});

it('records an order whose warehouse is down for a while', async () => {
  const system = await startSystem();
  const { simulator, announced, workflowId } = system;
  const orderId = simulator.createOrder();
  await simulator.emit(orderId, 'OrderCreate');
  await expect.poll(() => announced(orderId).length).toBe(1);
  simulator.setFaults({ down: true });
  await simulator.emit(orderId, 'OrderFullyAllocated');
  await expect.poll(() => simulator.counts().calls.getOrder).toBeGreaterThan(2);
  simulator.setFaults({ down: false });
  await expect.poll(() => announced(orderId).length).toBe(2);
  await record('retried', system, workflowId(orderId));
});

it('records an order with regular activities', async () => {
  const system = await startSystem({ env: { TEMPORAL_ACTIVITIES: 'regular' } });
  const { simulator, announced, workflowId } = system;
  const orderId = simulator.createOrder();
  for (const [index, name] of (['OrderCreate', 'OrderFullyAllocated', 'OrderConfirm'] as const).entries()) {
    await simulator.emit(orderId, name);
    await expect.poll(() => announced(orderId).length).toBe(index + 1);
  }
  await record('regular', system, workflowId(orderId));
});

it('records a sweep of a few pages that continues as new, and an order that it found', async () => {
  const system = await startSweptSystem();
  const { simulator, announced, sweep, tenant, workflowId } = system;
  const [lost = ''] = [1, 2, 3].map(() => simulator.createOrder());
  await simulator.emit(lost, 'OrderConfirm', { deliver: false });
  await sweep({ pageSize: 1, pagesPerRun: 2 });
  await expect.poll(() => announced(lost).length).toBe(2);
  await record('reconcile', system, `reconcile:${tenant}:on-demand`);
  await record('reconciled', system, workflowId(lost));
});

it('records an announcement that is dead-lettered and sent again', async () => {
  const system = await startSystem({ env: { ANNOUNCE_FOR_MS: '2500' } });
  const { simulator, receiver, announced, view, service, workflowId } = system;
  receiver.setAnswer(503);
  const id = simulator.createOrder();
  await simulator.emit(id, 'OrderCreate');
  await expect.poll(async () => (await view(id)).attention).toEqual(['unannounced']);
  receiver.setAnswer(204);
  await fetch(`${service().admin.url}/announcements/${workflowId(id)}/1/created/resend`, { method: 'POST' });
  await expect.poll(() => announced(id).length).toBe(1);
  await record('dead-lettered', system, workflowId(id));
});

it('records a run that continues as new and the run after it', async () => {
  const system = await startSystem({ env: { SIGNALS_PER_RUN: '2' } });
  const { simulator, announced, receiver, service, view, workflowId } = system;
  receiver.setAnswer(503);
  const orderId = simulator.createOrder();
  await simulator.emit(orderId, 'OrderCreate');
  const { workflow } = service().webhook.client;
  await expect.poll(() => view(orderId).catch(() => undefined)).toBeDefined();
  const firstRun = (await workflow.getHandle(workflowId(orderId)).describe()).runId;
  for (let revision = 2; revision < 10; revision += 1) {
    await simulator.emit(orderId, 'OrderUpdate');
    await expect.poll(async () => (await view(orderId)).lifecycle.revision).toBe(revision);
  }
  await expect
    .poll(async () => (await workflow.getHandle(workflowId(orderId), firstRun).describe()).status.name)
    .toBe('CONTINUED_AS_NEW');
  receiver.setAnswer(204);
  await expect.poll(() => announced(orderId).length).toBe(9);
  await record('continued', system, workflowId(orderId), firstRun);
  await record('continued-on', system, workflowId(orderId));
});
