import type { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { workflowsPath } from './workers.ts';

/** Which histories are replayed, and how they are read. */
export interface ReplayRunningOptions {
  readonly client: Client;
  readonly dataConverter?: DataConverter;
  readonly taskQueue: string;
  /** How many at most; absent for all. */
  readonly limit?: number | undefined;
  /** Told after each history how many were replayed. */
  readonly onProgress: (replayed: number) => void;
}

/** A workflow whose history the code as it is does not replay, and why. */
export interface ReplayFailure {
  readonly workflowId: string;
  readonly runId: string;
  readonly reason: string;
}

/**
 * Replays the histories of the workflows that run with the code as it is; nothing changes on the server. Rejects with the client's own
 * error where Temporal does not answer.
 */
export async function replayRunning(
  options: ReplayRunningOptions,
): Promise<{ readonly replayed: number; readonly failures: readonly ReplayFailure[] }> {
  const { dataConverter, onProgress } = options;
  const failures: ReplayFailure[] = [];
  let replayed = 0;
  const replayer = { workflowsPath, ...(dataConverter && { dataConverter }) };
  for await (const { workflowId, runId, error } of Worker.runReplayHistories(replayer, runningHistories(options))) {
    replayed += 1;
    if (error) failures.push({ workflowId, runId, reason: error.message.split('\n')[0] ?? '' });
    onProgress(replayed);
  }
  return { replayed, failures };
}

async function* runningHistories({ client, taskQueue, limit = Number.POSITIVE_INFINITY }: ReplayRunningOptions) {
  const query = `TaskQueue = '${taskQueue}' and ExecutionStatus = 'Running'`;
  let count = 0;
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    if (count >= limit) return;
    count += 1;
    yield { workflowId, history: await client.workflow.getHandle(workflowId, runId).fetchHistory() };
  }
}
