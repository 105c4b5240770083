import type { Client } from '@temporalio/client';

/** `TaskQueueType` of Temporal's API. */
const types = { workflows: 1, activities: 2 } as const;

/** Returns the times of the last polls of a task queue's workers, in milliseconds since the epoch. Temporal forgets a worker after five minutes. */
export async function lastPolls(client: Client, name: string, type: keyof typeof types): Promise<readonly number[]> {
  const { pollers } = await client.connection.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name },
    taskQueueType: types[type],
  });
  return pollers.map(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1000);
}
