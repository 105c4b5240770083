import { randomUUID } from 'node:crypto';
import { NativeConnection, Worker } from '@temporalio/worker';
import { expect, inject, it } from 'vitest';
import { createDataConverter, openTemporal } from '../../src/temporal/connection.ts';
import '../../src/temporal/workflow-threads.ts';
import type { ReconcileInput } from '../../workflows/sweep-state.ts';
import { quietRuntime } from '../support/quiet-runtime.ts';

quietRuntime();

it('calls into workflows have no time limit, whatever the SDK asks for', async () => {
  const taskQueue = `threads-${randomUUID()}`;
  const address = inject('temporalAddress');
  await using opened = new AsyncDisposableStack();
  const connection = opened.adopt(await NativeConnection.connect({ address }), (it) => it.close());
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: { codePath: inject('workflowBundle') },
    dataConverter: createDataConverter(),
    // Less than any call takes. The SDK's types do not name it.
    ...{ isolateExecutionTimeout: '1ms' },
  });
  const { client, close } = openTemporal({ address, namespace: 'default' });
  opened.defer(close);
  await worker.runUntil(async () => {
    const limits = { lookBackMs: 0, overlapMs: 0, quietMs: 0, pageSize: 1, pagesPerRun: 1 };
    const input: ReconcileInput = { tenant: '9104', kinds: [], ...limits, warehouseTaskQueue: taskQueue };
    const options = { taskQueue, workflowId: taskQueue, args: [input] };
    expect(await client.workflow.execute('reconcile', options)).toMatchObject({ tallies: {} });
  });
});
