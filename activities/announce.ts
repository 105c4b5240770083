import { cancellationSignal, heartbeat } from '@temporalio/activity';
import type { ActivityDeps } from './ports.ts';

/** Sends announcements one after the other; what was acknowledged before is not sent again. */
export async function announce(deps: ActivityDeps, ids: readonly string[]): Promise<void> {
  const signal = cancellationSignal();
  for (const id of ids) {
    heartbeat();
    const announcement = await deps.outbox.unsent(id);
    if (!announcement) continue;
    await deps.destination.send(announcement, signal);
    await deps.outbox.markSent(id);
  }
}
