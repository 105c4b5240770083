import { join } from 'node:path';
import { NativeConnection, Worker } from '@temporalio/worker';
import { expect, inject, it, onTestFinished } from 'vitest';
import { openTemporal } from '../../src/temporal/connection.ts';
import { createNamespace } from '../support/namespace.ts';
import { startSystem } from '../support/system.ts';
import type { fulfillment } from './signaled-workflow.ts';

const address = inject('temporalAddress');

/** Starts a worker in a namespace of its own. */
async function openTheirs() {
  const namespace = await createNamespace();
  const { client, close } = openTemporal({ address, namespace });
  onTestFinished(close);
  const connection = await NativeConnection.connect({ address });
  const workflowsPath = join(import.meta.dirname, 'signaled-workflow.ts');
  const worker = await Worker.create({ connection, namespace, taskQueue: 'fulfillment', workflowsPath });
  const running = worker.run();
  onTestFinished(async () => {
    worker.shutdown();
    await running;
    await connection.close();
  });
  return { client, url: `temporal://${address}/${namespace}` };
}

it('an order goes through a workflow of somebody else, which a destination that was added signals', async () => {
  const env = { DESTINATION_KEYS: `first:${Buffer.alloc(32, 7).toString('base64')}` };
  const { simulator, service, tenants } = await startSystem({ env });
  const { tenant = '' } = tenants[0] ?? {};
  const theirs = await openTheirs();
  const act = async (action: string, body: object = {}) => {
    const url = `${service().admin.url}/destinations/${tenant}/fulfillment/${action}`;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, body: await answer.json() };
  };
  const settings = { kind: 'temporal', url: theirs.url, workflowType: 'fulfillment', taskQueue: 'fulfillment' };
  expect(await act('add', { ...settings, kinds: ['order'] })).toMatchObject({ status: 201 });
  expect((await act('test')).body).toMatchObject({ isDelivered: true });

  const id = simulator.createOrder();
  const handle = theirs.client.workflow.getHandle<typeof fulfillment>(`order-${tenant}-${id}`);
  await simulator.emit(id, 'OrderCreate');
  await expect
    .poll(() =>
      handle.describe().then(
        ({ status }) => status.name,
        () => 'none',
      ),
    )
    .toBe('RUNNING');
  // What comes while it is paused waits for it, in order.
  await act('pause');
  await simulator.emit(id, 'OrderPackComplete');
  await simulator.emit(id, 'OrderConfirm');
  await act('resume');
  expect(await handle.result()).toEqual({
    subject: { tenant, kind: 'order', id },
    milestones: expect.arrayContaining(['created', 'packed', 'confirmed']),
    missing: expect.arrayContaining(['order']),
    ended: 'dockline.order.confirmed',
  });
});
