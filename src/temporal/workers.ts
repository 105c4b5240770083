import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import type { Activities } from '../../activities/activities.ts';

/** What the workers need. */
export interface WorkersOptions {
  readonly address: string;
  readonly namespace: string;
  readonly taskQueue: string;
  readonly activities: Activities;
  /** The rate limit of the warehouse's GETs, shared by all workers through the server: retrievals a second. */
  readonly retrievalsPerSecond: number;
  /** The bundled workflows; bundled from the sources where absent. */
  readonly workflowBundle?: WorkflowBundleOption;
  /** Called when a worker fails for good: it polls no more. */
  readonly onFailure: (error: unknown) => void;
}

/** The running workers. */
export interface Workers {
  /** Stops polling, gives activities time to end, and closes the connection. */
  close(): Promise<void>;
}

/** How long activities may go on after the workers were told to stop. */
const SHUTDOWN_GRACE = '10 seconds';

/**
 * Starts one worker for workflows and their quick activities and one for the warehouse's GETs, which have a rate limit and a
 * task queue of their own.
 */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { address, namespace, taskQueue, activities, retrievalsPerSecond, workflowBundle, onFailure } = options;
  const connection = await NativeConnection.connect({ address });
  const { retrieve, ...quick } = activities;
  const shared = { connection, namespace, shutdownGraceTime: SHUTDOWN_GRACE };
  const workers = await Promise.all([
    Worker.create({
      ...shared,
      taskQueue,
      activities: quick,
      ...(workflowBundle ? { workflowBundle } : { workflowsPath }),
    }),
    Worker.create({
      ...shared,
      taskQueue: `${taskQueue}-warehouse`,
      activities: { retrieve },
      maxTaskQueueActivitiesPerSecond: retrievalsPerSecond,
    }),
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

/** Where the workflows' sources are. */
export const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));
