import type { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { bundleWorkflows } from './workflow-bundle.ts';

interface ReplayRunningOptions {
  readonly client: Client;
  readonly dataConverter?: DataConverter;
  readonly taskQueue: string;
  readonly cacheFolder: string;
  readonly limit?: number | undefined;
  readonly onProgress: (replayed: number) => void;
}

/** Replays with the current code; changes nothing on the server. Rejects with the client's own error if Temporal does not answer. */
export async function replayRunning(options: ReplayRunningOptions) {
  const { dataConverter, cacheFolder, onProgress } = options;
  const failures: { readonly workflowId: string; readonly runId: string; readonly reason: string }[] = [];
  let replayed = 0;
  const workflowBundle = await bundleWorkflows(cacheFolder);
  const replayer = { workflowBundle, ...(dataConverter && { dataConverter }) };
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
