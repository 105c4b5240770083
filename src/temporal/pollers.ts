import { hostname } from 'node:os';
import type { Client } from '@temporalio/client';
import type { Away } from '../health/sources.ts';

/** `TaskQueueType` of Temporal's API. */
const types = { workflows: 1, activities: 2 } as const;

/** No worker is there after it. Temporal answers a poll without work after a minute. */
export const SILENT_MS = 90_000;

export const identityOf = (installation: string): string => `dockline:${installation}:${process.pid}@${hostname()}`;

/** Temporal forgets a worker after five minutes. One without an installation is none of Dockline. */
export async function lastPolls(client: Client, name: string, type: Queue['type']) {
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

const sharedWith = (other: string, { taskQueue, namespace }: { taskQueue: string; namespace: string }): string =>
  `another installation of Dockline (${other}) works on the task queue ${taskQueue} in Temporal's namespace ${namespace}: ` +
  'stop it, or set TEMPORAL_NAMESPACE to a namespace of its own for one of them';

/** Reports whether the installation with this store has the task queue to itself. */
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

export interface Queue {
  readonly name: string;
  readonly type: keyof typeof types;
}

/** Age at which Temporal is asked again, age from which its last answer no longer counts, deadline of an answer. */
const ASK_EVERY_MS = 4_000;
const STALE_MS = 10_000;
const ANSWER_MS = 3_000;

/** Workers that have just begun, or found Temporal again, have not polled yet: two answers have to agree. */
export function createTemporalReading({
  read,
  now,
  monotonicNow = () => performance.now(),
}: {
  readonly read: () => Promise<Omit<Away, 'since'> | undefined>;
  readonly now: () => number;
  readonly monotonicNow?: () => number;
}): () => Promise<Away | undefined> {
  let away: Away | undefined;
  let last: Omit<Away, 'since'> | undefined;
  let quietSince = monotonicNow();
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;
  const isSame = (a: typeof last, b: typeof last) => a?.part === b?.part && a?.queue === b?.queue;

  async function ask(): Promise<void> {
    const found = await read();
    if (found?.part === 'Temporal') quietSince = monotonicNow();
    const isSilent = isSame(found, last) && monotonicNow() - quietSince >= SILENT_MS;
    const isSure = found?.part !== 'workers' || found.because !== undefined || isSilent;
    last = found;
    if (!isSure) away = undefined;
    else if (!isSame(found, away)) away = found && { ...found, since: now() };
    askedAt = monotonicNow();
    asking = undefined;
  }

  return async () => {
    const age = monotonicNow() - askedAt;
    if (age > ASK_EVERY_MS) asking ??= ask();
    if (age > STALE_MS) await asking;
    return away;
  };
}

export async function readAway(
  client: Client,
  { queues, installation, now }: { queues: readonly Queue[]; installation: string; now: () => number },
): Promise<Omit<Away, 'since'> | undefined> {
  try {
    for (const { name, type } of queues) {
      const polls = await client.withDeadline(Date.now() + ANSWER_MS, () => lastPolls(client, name, type));
      // All slots of a worker for activities may be taken for a while; Temporal remembers its last poll for five minutes.
      const isNew = ({ at }: { at: number }) => type === 'activities' || now() - at < SILENT_MS;
      const pollers = polls.filter(isNew).map((poll) => poll.installation);
      if (pollers.includes(installation)) continue;
      const { namespace } = client.options;
      const [other] = pollers.filter((id) => id !== undefined);
      const because = other && sharedWith(other, { taskQueue: name, namespace });
      return { part: 'workers', queue: name, ...(because && { because }) };
    }
    return undefined;
  } catch {
    return { part: 'Temporal' };
  }
}

/** Of workflows and quick activities. */
export const TASK_QUEUE = 'dockline';

/** Without a tenant: the queue of tenants that are no longer configured, whose GETs fail. */
export const warehouseTaskQueue = (taskQueue: string, tenant?: string): string =>
  tenant === undefined ? `${taskQueue}-warehouse` : `${taskQueue}-warehouse-${tenant}`;

export const announceTaskQueue = (taskQueue: string): string => `${taskQueue}-announce`;

export const warehouseQueues = (taskQueue: string, tenants: readonly { readonly id: string }[]): readonly string[] => [
  ...tenants.map(({ id }) => warehouseTaskQueue(taskQueue, id)),
  warehouseTaskQueue(taskQueue),
];
