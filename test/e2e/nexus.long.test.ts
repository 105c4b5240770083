import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { NativeConnection, Worker } from '@temporalio/worker';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { openTemporal } from '../../src/temporal/connection.ts';
import { createNamespace } from '../support/namespace.ts';
import { startSystem } from '../support/system.ts';
import type { Call, call } from './nexus-caller.ts';

const address = inject('temporalAddress');

/** Starts a worker in a namespace of its own, and returns how its workflows call the service at this task queue. */
async function openCaller(taskQueue: string) {
  const namespace = await createNamespace();
  const { connection, client, close } = openTemporal({ address, namespace });
  onTestFinished(close);
  const endpoint = `warehouse-${randomUUID()}`;
  await connection.operatorService.createNexusEndpoint({
    spec: { name: endpoint, target: { worker: { namespace: 'default', taskQueue } } },
  });
  const native = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection: native,
    namespace,
    taskQueue: 'callers',
    workflowsPath: join(import.meta.dirname, 'nexus-caller.ts'),
  });
  const running = worker.run();
  onTestFinished(async () => {
    worker.shutdown();
    await running;
    await native.close();
  });
  return async (operation: Call['operation'], input: object) =>
    await client.workflow
      .execute<typeof call>('call', {
        taskQueue: 'callers',
        workflowId: randomUUID(),
        args: [{ endpoint, operation, input }],
      })
      .catch((error) => error.cause?.cause);
}

describe('the Nexus service of the warehouse', () => {
  it('tells workflows of other namespaces where an order stands, and lets them wait', async () => {
    const { simulator, tenants } = await startSystem({ env: { TEMPORAL_NEXUS: 'yes' } });
    const { tenant = '' } = tenants[0] ?? {};
    const ask = await openCaller(`test-${tenant}`);
    const unknown = { tenant, id: '1' };
    expect(await ask('getOrder', unknown)).toMatchObject({
      type: 'NOT_FOUND',
      message: `handler error (NOT_FOUND): order:${tenant}:1 is not known`,
    });
    expect(await ask('awaitMilestone', { ...unknown, milestones: ['shipped'] })).toMatchObject({
      type: 'BAD_REQUEST',
      message: expect.stringContaining('milestones: shipped is none of created, completed'),
    });
    const id = simulator.createOrder();
    const packed = ask('awaitMilestone', { tenant, id, milestones: ['packed', 'canceled'] });
    await simulator.emit(id, 'OrderPackComplete');
    expect(await packed).toMatchObject({
      milestone: 'packed',
      standing: { reached: expect.arrayContaining(['packed']) },
    });
    await simulator.emit(id, 'OrderCancel');
    expect(await ask('awaitMilestone', { tenant, id, milestones: ['confirmed'] })).toMatchObject({
      milestone: null,
      standing: { stage: 'canceled', isOver: true },
    });
    expect(await ask('getOrder', { tenant, id })).toMatchObject({
      stage: expect.any(String),
      revision: expect.any(Number),
    });
  });
});
