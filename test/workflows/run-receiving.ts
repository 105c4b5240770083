import { randomUUID } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import { openTemporal, type Temporal } from '../../src/temporal/connection.ts';
import { installPackage } from '../consumer/installed-package.ts';
import { openReplayer, replayRuns } from '../support/replayer.ts';

/** Workflows that receive announcements with the package as it is installed. */
export interface Receiving {
  readonly client: Temporal['client'];
  /** Starts a worker, which is shut down when the test ends, or before. */
  work(activities?: object): Promise<{ shutDown(): Promise<void> }>;
  /** Returns a workflow that has not started. After the test it is terminated, and all its runs must replay. */
  begin(workflowType: string, ...args: readonly unknown[]): ReceivingWorkflow;
}

/** Workflow that a test signals. */
export interface ReceivingWorkflow {
  /** Its newest run. */
  readonly handle: WorkflowHandle;
  /** Sends signals, of which the first starts it. */
  announce(...announcements: readonly unknown[]): Promise<void>;
  /** Resets the newest run to its start. */
  reset(): Promise<void>;
  milestones(): Promise<readonly string[]>;
}

/** Installs the package beside the example and the workflows of tests, for the tests of a file. */
export function useReceiving(): () => Receiving {
  const stack = new AsyncDisposableStack();
  let receiving: Receiving;
  beforeAll(async () => {
    receiving = await openReceiving(stack);
  });
  afterAll(() => stack.disposeAsync());
  return () => receiving;
}

const workflows = 'test/workflows/receiving-workflows.ts';

const orderSubject = { tenant: '9104', kind: 'order', id: '31004581' };

async function openReceiving(stack: AsyncDisposableStack): Promise<Receiving> {
  const folder = await installPackage('consumer/workflow', ['@temporalio']);
  stack.defer(folder.remove);
  for (const file of ['consumer/workflow/examples/fulfillment.ts', workflows]) await cp(file, join(folder.path, file));
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath: join(folder.path, workflows),
    logger: new DefaultLogger('ERROR'),
  });
  const replayer = openReplayer({ workflowBundle });
  stack.defer(replayer.close);
  const address = inject('temporalAddress');
  const { client, close } = openTemporal({ address, namespace: 'default' });
  stack.defer(close);
  const connection = await NativeConnection.connect({ address });
  stack.defer(() => connection.close());
  const taskQueue = `receiving-${randomUUID()}`;

  return {
    client,
    async work(activities = {}) {
      const worker = await Worker.create({ connection, namespace: 'default', workflowBundle, taskQueue, activities });
      const running = worker.run();
      const shutDown = async () => {
        if (worker.getState() === 'RUNNING') worker.shutdown();
        await running;
      };
      onTestFinished(shutDown);
      return { shutDown };
    },
    begin(workflowType, ...args) {
      const workflowId = randomUUID();
      const handle = client.workflow.getHandle(workflowId);
      const runs = new Set<string>();
      onTestFinished(() => replayRuns(client, replayer, { workflowId, runs }));
      return {
        handle,
        async announce(...announcements) {
          const start = { workflowId, taskQueue, args: [orderSubject, ...args], signal: 'dockline' };
          for (const announcement of announcements) {
            const options = { ...start, signalArgs: [announcement] };
            runs.add((await client.workflow.signalWithStart(workflowType, options)).signaledRunId);
          }
        },
        async reset() {
          const { events } = await handle.fetchHistory();
          const firstTask = events?.find((event) => event.workflowTaskCompletedEventAttributes);
          const { runId } = await client.workflowService.resetWorkflowExecution({
            namespace: 'default',
            workflowExecution: { workflowId },
            reason: 'a test',
            requestId: randomUUID(),
            workflowTaskFinishEventId: firstTask?.eventId ?? null,
          });
          runs.add(runId);
        },
        milestones: () => handle.query('milestones'),
      };
    },
  };
}
