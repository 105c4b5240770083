import { Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { startRoles } from '../../src/app/service.ts';
import { loadConfig } from '../../src/config/config.ts';
import { describeOnPostgres } from '../store/databases.ts';
import { type System, startSystem } from '../support/system.ts';

const SOON = { timeout: 60_000 };
const PATIENT = { timeout: 150_000 };
const SLOW_GET_MS = 1_500;
const env = { REDISPATCH_AFTER_MS: '500' };

/** Starts a system whose order is announced as created, and whose warehouse is slow from now on. */
async function startSlow(options: Parameters<typeof startSystem>[0] = {}) {
  const system = await startSystem({ ...options, env: { ...env, ...options.env } });
  const id = await createOrder(system);
  system.simulator.setFaults({ latencyMs: SLOW_GET_MS });
  return { system, id };
}

async function createOrder({ simulator, announced }: System): Promise<string> {
  const id = simulator.createOrder();
  await simulator.emit(id, 'OrderCreate');
  await expect.poll(() => announced(id), SOON).toEqual(['1/created']);
  return id;
}

/** Delivers so many events of an order, fifty at a time, and one of each other order after each fifty. */
async function deliver({ simulator }: System, id: string, count: number, others: readonly string[] = []) {
  for (let left = count; left > 0; left -= 50) {
    const chunk = Array.from({ length: Math.min(50, left) }, () => id);
    await Promise.all([...chunk, ...others].map((orderId) => simulator.emit(orderId, 'OrderUpdate')));
  }
}

/** Expects that exactly so many updates of an order are announced, in a sequence without gaps. */
async function expectUpdates({ announced }: System, id: string, count: number): Promise<void> {
  await expect.poll(() => announced(id).length, SOON).toBe(1 + count);
  const ids = announced(id).map((text) => text.split(' ')[0]);
  expect(ids).toEqual(['1/created', ...Array.from({ length: count }, (_, index) => `${index + 2}/updated`)]);
}

async function expectReplay({ service, workflowId }: System, id: string): Promise<void> {
  const history = await service().webhook.client.workflow.getHandle(workflowId(id)).fetchHistory();
  await Worker.runReplayHistory({ workflowBundle: { codePath: inject('workflowBundle') } }, history, workflowId(id));
}

/** Resolves once a GET of an order is under way that was not before. */
async function untilRetrieving({ simulator }: System, happen: () => Promise<unknown>): Promise<void> {
  const calls = () => simulator.counts().calls.getOrder ?? 0;
  const before = calls();
  await happen();
  await expect.poll(calls, { ...SOON, interval: 10 }).toBeGreaterThan(before);
}

describe('an order while its GET is slow', PATIENT, () => {
  it('announces each of 1,000 events once', async () => {
    const { system, id } = await startSlow();
    await deliver(system, id, 1_000);
    await expectUpdates(system, id, 1_000);
    expect(system.receiver.tally()).toEqual({ received: 1_001, duplicates: 0, outOfOrder: 0 });
    await expectReplay(system, id);
  });

  it('announces each of 1,000 events once when it is replayed and restarted meanwhile', async () => {
    // The fewest that the worker takes, so that the other orders displace this one.
    const { system, id } = await startSlow({ env: { TEMPORAL_CACHED_WORKFLOWS: '2' } });
    const others = [await createOrder(system), await createOrder(system), await createOrder(system)];
    await deliver(system, id, 500, others);
    await untilRetrieving(system, () => system.simulator.emit(id, 'OrderUpdate'));
    await system.restart();
    await deliver(system, id, 499, others);
    await expectUpdates(system, id, 1_000);
    for (const other of others) await expectUpdates(system, other, 20);
    expect(system.receiver.tally()).toEqual({ received: 1_064, duplicates: 0, outOfOrder: 0 });
    for (const each of [id, ...others]) await expectReplay(system, each);
  });

  it('goes on and replays after 140 signals came during one GET and Dockline was restarted', async () => {
    const { system, id } = await startSlow();
    const { simulator, service, workflowId, announced, restart, receiver } = system;
    const expected = ['1/created', '2/fullyAllocated', '3/updated', '4/updated', '5/updated'];
    await untilRetrieving(system, () => simulator.emit(id, 'OrderFullyAllocated'));
    const workflow = service().webhook.client.workflow.getHandle(workflowId(id));
    const signals = Array.from({ length: 140 }, () => workflow.signal('events', []));
    await Promise.all([...signals, deliver(system, id, 2)]);
    await expect.poll(() => announced(id), SOON).toEqual(expected.slice(0, 4));
    await restart();
    await simulator.emit(id, 'OrderUpdate');
    await expect.poll(() => announced(id), SOON).toEqual(expected);
    expect(receiver.tally()).toEqual({ received: 5, duplicates: 0, outOfOrder: 0 });
    await expectReplay(system, id);
  });
});

describeOnPostgres('two dispatchers on one database', (database) => {
  it('announce each of 1,000 events once while the GET is slow', PATIENT, async () => {
    await database.locate();
    const { system, id } = await startSlow({ env: { DATABASE_URL: database.url } });
    await startDispatcher(system, database.url);
    await deliver(system, id, 1_000);
    await expectUpdates(system, id, 1_000);
    await system.restart();
    await deliver(system, id, 1);
    await expectUpdates(system, id, 1_001);
    expect(system.receiver.tally()).toEqual({ received: 1_002, duplicates: 0, outOfOrder: 0 });
    await expectReplay(system, id);
  });
});

/** Starts a dispatcher beside that of the system, on the same database and task queue. */
async function startDispatcher({ simulator }: System, url: string): Promise<void> {
  const dispatcher = await startRoles({
    roles: ['dispatcher'],
    config: loadConfig({ ...env, DATABASE_URL: url }),
    dependencies: { temporal: { address: inject('temporalAddress') }, tenants: [] },
    logger: pino({ level: 'silent' }),
    onFailure: (error) => {
      throw error;
    },
    taskQueue: `test-${simulator.tplId}`,
  });
  onTestFinished(() => dispatcher.close());
}
