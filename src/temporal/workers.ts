import { NativeConnection, Worker, type WorkerOptions, type WorkflowBundleOption } from '@temporalio/worker';
import type { Activities } from '../../activities/activities.ts';
import type { TemporalOptions } from './connection.ts';
import './workflow-threads.ts';

export interface WorkersOptions
  extends Pick<TemporalOptions, 'address' | 'namespace' | 'credentials' | 'dataConverter'> {
  readonly taskQueue: string;
  readonly identity: string;
  readonly buildId?: string | undefined;
  /** Others are replayed from their history. */
  readonly cachedWorkflows?: number;
  readonly activities: Activities;
  readonly warehouseQueues: readonly string[];
  readonly announceQueue: string;
  readonly workflowBundle: WorkflowBundleOption;
  readonly onFailure: (error: unknown) => void;
}

/** In flight, or waiting for a place of their destination. */
const ANNOUNCING = 1000;

/** Temporal admits 1,200 long polls of a namespace at a time, for all queues and processes. */
const WAREHOUSE_POLLERS = 2;

/** Answered, or waiting for their turns: enough for several to share each GET. */
const RETRIEVING = 300;

export type Workers = Awaited<ReturnType<typeof startWorkers>>;

const SHUTDOWN_GRACE = '10 seconds';

/** One worker for workflows and quick activities, one for announcements, and one per warehouse, so that a slow one blocks no other. */
export async function startWorkers(options: WorkersOptions) {
  const { address, namespace, credentials, dataConverter, taskQueue, activities, workflowBundle, onFailure } = options;
  await using opened = new AsyncDisposableStack();
  const connection = await NativeConnection.connect({ address, ...credentials });
  // A worker that was created keeps it open.
  opened.defer(() => connection.close().catch(() => undefined));
  const { retrieve, sweepChanged, sweepOpen, announce, ...quick } = activities;
  const shared = {
    connection,
    namespace,
    identity: options.identity,
    shutdownGraceTime: SHUTDOWN_GRACE,
    ...(dataConverter && { dataConverter }),
  };
  const workers = await Promise.all([
    Worker.create({
      ...shared,
      taskQueue,
      activities: quick,
      // Measured a third faster than the SDK's fixed number.
      workflowTaskPollerBehavior: { type: 'autoscaling' },
      // Tasks that wait for a GET do not block the others.
      maxConcurrentWorkflowTaskExecutions: 100,
      ...(options.cachedWorkflows !== undefined && { maxCachedWorkflows: options.cachedWorkflows }),
      ...versioned(options.buildId),
      workflowBundle,
    }),
    Worker.create({
      ...shared,
      taskQueue: options.announceQueue,
      activities: { announce },
      maxConcurrentActivityTaskExecutions: ANNOUNCING,
    }),
    ...options.warehouseQueues.map((queue) =>
      Worker.create({
        ...shared,
        taskQueue: queue,
        activities: { retrieve, sweepChanged, sweepOpen },
        maxConcurrentActivityTaskExecutions: RETRIEVING,
        activityTaskPollerBehavior: { type: 'simple-maximum', maximum: WAREHOUSE_POLLERS },
      }),
    ),
  ]);
  opened.move();
  const running = workers.map((worker) => worker.run().catch(onFailure));
  return {
    isPolling: () => workers.every((worker) => worker.getState() === 'RUNNING'),
    async close() {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await Promise.all(running);
      await connection.close();
    },
  };
}

export const DEPLOYMENT_NAME = 'dockline';

/** Running workflows move to the current version: histories replay from one version to the next. */
function versioned(buildId: string | undefined): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (buildId === undefined) return {};
  const version = { deploymentName: DEPLOYMENT_NAME, buildId };
  return {
    workerDeploymentOptions: { version, useWorkerVersioning: true, defaultVersioningBehavior: 'AUTO_UPGRADE' },
  };
}
