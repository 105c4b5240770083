import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import { NativeConnection, Worker, type WorkerOptions, type WorkflowBundleOption } from '@temporalio/worker';
import type { Activities } from '../../activities/activities.ts';
import type { WarehouseQueue } from './task-queues.ts';

/** What the workers need. */
export interface WorkersOptions {
  readonly address: string;
  readonly namespace: string;
  /** As the client's. */
  readonly dataConverter?: DataConverter;
  readonly taskQueue: string;
  /** The version of the workflows' code, where Temporal is to decide which version goes on with what is under way. */
  readonly buildId?: string | undefined;
  /** How many workflows are kept in memory between their tasks; others are replayed from their history. */
  readonly cachedWorkflows?: number;
  readonly activities: Activities;
  /** The task queues of the warehouses' GETs, each with a rate limit that all workers share through the server. */
  readonly warehouseQueues: readonly WarehouseQueue[];
  /** The task queues of announcements, one for each destination. */
  readonly announceQueues: readonly string[];
  /** The bundled workflows; bundled from the sources where absent. */
  readonly workflowBundle?: WorkflowBundleOption;
  /** Called when a worker fails for good: it polls no more. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Tasks of workflows are short and many: as many polls as there is work for, measured a third faster than the SDK's fixed number,
 * and enough tasks at once that those which wait for a GET do not hold up the others.
 */
const capacity = {
  workflowTaskPollerBehavior: { type: 'autoscaling' },
  maxConcurrentWorkflowTaskExecutions: 100,
} as const satisfies Partial<WorkerOptions>;

/** The running workers. */
export interface Workers {
  /** Stops polling, gives activities time to end, and closes the connection. */
  close(): Promise<void>;
}

/** How long activities may go on after the workers were told to stop. */
const SHUTDOWN_GRACE = '10 seconds';

/**
 * Starts one worker for workflows and their quick activities, one for each warehouse's GETs and one for each destination's
 * announcements, so that a warehouse or a destination that is slow or down keeps nothing else waiting.
 */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { address, namespace, dataConverter, taskQueue, activities, workflowBundle, onFailure } = options;
  const connection = await NativeConnection.connect({ address });
  const { retrieve, sweepChanged, sweepOpen, announce, ...quick } = activities;
  const shared = {
    ...{ connection, namespace, shutdownGraceTime: SHUTDOWN_GRACE },
    ...(dataConverter && { dataConverter }),
  };
  const workers = await Promise.all([
    Worker.create({
      ...shared,
      taskQueue,
      activities: quick,
      ...capacity,
      ...(options.cachedWorkflows !== undefined && { maxCachedWorkflows: options.cachedWorkflows }),
      ...versioned(options.buildId),
      ...(workflowBundle ? { workflowBundle } : { workflowsPath }),
    }),
    ...options.announceQueues.map((queue) => Worker.create({ ...shared, taskQueue: queue, activities: { announce } })),
    ...options.warehouseQueues.map((queue) =>
      Worker.create({
        ...shared,
        taskQueue: queue.taskQueue,
        activities: { retrieve, sweepChanged, sweepOpen },
        maxTaskQueueActivitiesPerSecond: queue.perSecond,
        maxConcurrentActivityTaskExecutions: concurrencyOf(queue),
      }),
    ),
  ]);
  const running = workers.map((worker) => worker.run().catch(onFailure));
  return {
    async close() {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await Promise.all(running);
      await connection.close();
    },
  };
}

/** No more retrievals at once than get their turn within their time limit: each makes several GETs, which keep to the same rate. */
const concurrencyOf = ({ perSecond }: WarehouseQueue): number => Math.min(100, Math.ceil(20 * perSecond));

/** The name under which Temporal lists the versions of Dockline's workers. */
export const DEPLOYMENT_NAME = 'dockline';

/** What is under way moves on to the version that is made the current one: histories replay from one version to the next. */
function versioned(buildId: string | undefined): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (buildId === undefined) return {};
  const version = { deploymentName: DEPLOYMENT_NAME, buildId };
  return {
    workerDeploymentOptions: { version, useWorkerVersioning: true, defaultVersioningBehavior: 'AUTO_UPGRADE' },
  };
}

/** Where the workflows' sources are. */
export const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));
