import type { Client } from '@temporalio/client';
import { lastPolls } from './pollers.ts';

/** Part that orders need and that is away, since a time in milliseconds since the epoch. */
export interface Away {
  readonly part: 'Temporal' | 'workers';
  /** Task queue that nobody polls; absent if it is Temporal. */
  readonly queue?: string;
  readonly since: number;
}

/** Task queue that is to be polled. */
export interface Queue {
  readonly name: string;
  readonly type: 'workflows' | 'activities';
}

/** Age at which a look is repeated, and its deadline, in milliseconds. */
const LOOK_EVERY_MS = 4_000;
const ANSWER_MS = 3_000;

/** Time without a poll after which no worker is there, in milliseconds. Temporal answers a poll without work after a minute. */
const SILENT_MS = 90_000;

/** Creates the look at Temporal and its workers. It answers at once with what was found last, and looks again if that is old. */
export function createTemporalLook({
  client,
  queues,
  now = Date.now,
}: {
  readonly client: Client;
  readonly queues: readonly Queue[];
  readonly now?: () => number;
}): () => Away | undefined {
  let away: Away | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isLooking = false;

  async function look(): Promise<void> {
    isLooking = true;
    const found = await findAway(client, queues, now);
    if (found?.part !== away?.part || found?.queue !== away?.queue) away = found && { ...found, since: now() };
    lookedAt = performance.now();
    isLooking = false;
  }

  return () => {
    if (!isLooking && performance.now() - lookedAt > LOOK_EVERY_MS) void look();
    return away;
  };
}

async function findAway(
  client: Client,
  queues: readonly Queue[],
  now: () => number,
): Promise<Omit<Away, 'since'> | undefined> {
  try {
    for (const { name, type } of queues) {
      const polledAt = await client.withDeadline(Date.now() + ANSWER_MS, () => lastPolls(client, name, type));
      // All slots of a worker for activities may be taken for a while; Temporal remembers its last poll for five minutes.
      const isPolled = polledAt.some((at) => type === 'activities' || now() - at < SILENT_MS);
      if (!isPolled) return { part: 'workers', queue: name };
    }
    return undefined;
  } catch {
    return { part: 'Temporal' };
  }
}
