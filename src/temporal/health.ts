import type { Client } from '@temporalio/client';
import type { Away } from '../health/sources.ts';
import { lastPolls, SILENT_MS, sharedWith } from './pollers.ts';

export interface Queue {
  readonly name: string;
  readonly type: 'workflows' | 'activities';
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
