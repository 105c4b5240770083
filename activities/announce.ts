import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import type { ActivityDeps } from './ports.ts';

/** Announcements of one warehouse operator's subject, in their order. */
export interface AnnounceInput {
  readonly tenant: string;
  readonly ids: readonly string[];
}

/** Announcements that are given up, and why. */
export interface ParkInput {
  readonly ids: readonly string[];
  readonly reason: string;
}

/**
 * Sends announcements one after the other; what was acknowledged before is not sent again, and what another attempt in this
 * process is still sending is waited for rather than sent beside it.
 */
export function createAnnounce() {
  const underWay = new Map<string, Promise<void>>();

  return async (deps: ActivityDeps, { tenant, ids }: AnnounceInput): Promise<void> => {
    const { isLocal } = activityInfo();
    const signal = cancellationSignal();
    for (const id of ids) {
      signal.throwIfAborted();
      if (!isLocal) heartbeat();
      // A local attempt has little time; what it has begun goes on, and the regular attempt after it takes it up.
      const begin = () => send(deps, { tenant, id }, isLocal ? NEVER : signal).finally(() => underWay.delete(id));
      const sending = underWay.get(id) ?? begin();
      underWay.set(id, sending);
      await sending;
    }
  };
}

const NEVER = new AbortController().signal;

async function send(
  deps: ActivityDeps,
  { tenant, id }: { readonly tenant: string; readonly id: string },
  signal: AbortSignal,
): Promise<void> {
  const announcement = await deps.outbox.unsent(id);
  if (!announcement) return;
  await deps.destinationOf(tenant).send(announcement, signal);
  await deps.outbox.markSent(id);
}

/** Parks those of the announcements that were not acknowledged, until somebody asks for them to be sent again; returns their ids. */
export async function park(deps: ActivityDeps, { ids, reason }: ParkInput): Promise<readonly string[]> {
  return deps.outbox.park(ids, reason);
}
