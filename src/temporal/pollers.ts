import { hostname } from 'node:os';
import type { Client } from '@temporalio/client';

/** `TaskQueueType` of Temporal's API. */
const types = { workflows: 1, activities: 2 } as const;

/** No worker is there after it. Temporal answers a poll without work after a minute. */
export const SILENT_MS = 90_000;

export interface Poll {
  readonly at: number;
  /** Undefined if it is no worker of Dockline. */
  readonly installation: string | undefined;
}

export const identityOf = (installation: string): string => `dockline:${installation}:${process.pid}@${hostname()}`;

/** Temporal forgets a worker after five minutes. */
export async function lastPolls(client: Client, name: string, type: keyof typeof types): Promise<readonly Poll[]> {
  const { pollers } = await client.connection.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name },
    taskQueueType: types[type],
  });
  return pollers.map(({ lastAccessTime, identity }) => ({
    at: Number(lastAccessTime?.seconds ?? 0) * 1000,
    installation: /^dockline:([^:]+):/.exec(identity ?? '')?.[1],
  }));
}

/** It may pass, as an outage does. */
export class ForeignQueueError extends Error {
  override readonly name = 'ForeignQueueError';
}

export const sharedWith = (other: string, { taskQueue, namespace }: { taskQueue: string; namespace: string }): string =>
  `another installation of Dockline (${other}) works on the task queue ${taskQueue} in Temporal's namespace ${namespace}: ` +
  'stop it, or set TEMPORAL_NAMESPACE to a namespace of its own for one of them';

/** Whether the installation with this store has the task queue to itself. */
export function createOwnership({
  client,
  taskQueue,
  installation,
}: {
  readonly client: Client;
  readonly taskQueue: string;
  readonly installation: string;
}) {
  async function findOther(): Promise<string | undefined> {
    const polls = await lastPolls(client, taskQueue, 'workflows');
    const others = polls.flatMap(({ at, installation: id }) => (id && Date.now() - at < SILENT_MS ? id : []));
    return others.filter((id) => id !== installation).sort()[0];
  }

  async function assertOwn(): Promise<void> {
    const other = await findOther();
    const { namespace } = client.options;
    if (other !== undefined) throw new ForeignQueueError(sharedWith(other, { taskQueue, namespace }));
  }

  return { installation, findOther, assertOwn };
}
