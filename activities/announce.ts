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

/** Sends announcements one after the other; what was acknowledged before is not sent again. */
export async function announce(deps: ActivityDeps, { tenant, ids }: AnnounceInput): Promise<void> {
  const signal = cancellationSignal();
  const destination = deps.destinationOf(tenant);
  for (const id of ids) {
    // A local one is over before anybody would miss it.
    if (!activityInfo().isLocal) heartbeat();
    const announcement = await deps.outbox.unsent(id);
    if (!announcement) continue;
    await destination.send(announcement, signal);
    await deps.outbox.markSent(id);
  }
}

/** Parks those of the announcements that were not acknowledged, until somebody asks for them to be sent again; returns their ids. */
export async function park(deps: ActivityDeps, { ids, reason }: ParkInput): Promise<readonly string[]> {
  return deps.outbox.park(ids, reason);
}
