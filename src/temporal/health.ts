import type { Client } from '@temporalio/client';
import { lastPolls } from './pollers.ts';

/** Part that every order needs and that does not answer, since a time in milliseconds since the epoch. */
export interface Away {
  readonly part: 'Temporal' | 'workers';
  readonly since: number;
}

/** Age at which a look is repeated, and its deadline, in milliseconds. */
const LOOK_EVERY_MS = 4_000;
const ANSWER_MS = 3_000;

/** Time without a poll after which no worker is there, in milliseconds. Temporal answers a poll without work after a minute. */
const SILENT_MS = 90_000;

/** Creates the look at Temporal and its workers. It answers at once with what was found last, and looks again if that is old. */
export function createHealth({
  client,
  taskQueue,
  now = Date.now,
}: {
  readonly client: Client;
  readonly taskQueue: string;
  readonly now?: () => number;
}): () => Away | undefined {
  let away: Away | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isLooking = false;

  async function look(): Promise<void> {
    isLooking = true;
    const part = await findAway(client, taskQueue, now);
    if (part !== away?.part) away = part && { part, since: now() };
    lookedAt = now();
    isLooking = false;
  }

  return () => {
    if (!isLooking && now() - lookedAt > LOOK_EVERY_MS) void look();
    return away;
  };
}

async function findAway(client: Client, name: string, now: () => number): Promise<Away['part'] | undefined> {
  try {
    const ask = () => lastPolls(client, name, 'workflows');
    const polledAt = await client.withDeadline(Date.now() + ANSWER_MS, ask);
    return polledAt.some((at) => now() - at < SILENT_MS) ? undefined : 'workers';
  } catch {
    return 'Temporal';
  }
}
