import { cancellationSignal, heartbeat } from '@temporalio/activity';
import type { ActivityDeps, Announcement } from './ports.ts';
import { type Recorded, type RecordInput, record } from './record.ts';

/** Announcements of one warehouse operator's subject, in their order. */
export interface AnnounceInput {
  readonly tenant: string;
  readonly ids: readonly string[];
}

/** Changes to be recorded, and whether they may be announced at once: only where nothing older waits to be. */
export interface PublishInput extends RecordInput {
  readonly announce: boolean;
}

/** Announcements that are given up, and why. */
export interface ParkInput {
  readonly ids: readonly string[];
  readonly reason: string;
}

/** How long an attempt that holds up its workflow's task begins and waits for sendings, in milliseconds. */
const AT_ONCE_MS = 1000;

/**
 * The ways to announce. Announcements go one after the other; what was acknowledged before is not sent again, and what another
 * attempt in this process is still sending is waited for rather than sent beside it.
 */
export function createAnnouncing() {
  const underWay = new Map<string, Promise<void>>();

  function track(id: string, sending: Promise<void>): Promise<void> {
    const tracked = sending.finally(() => {
      if (underWay.get(id) === tracked) underWay.delete(id);
    });
    underWay.set(id, tracked);
    return tracked;
  }

  function join(deps: ActivityDeps, { tenant, announcement }: Sending, signal: AbortSignal): Promise<void> {
    const { id } = announcement;
    return underWay.get(id) ?? track(id, deps.destinationOf(tenant).send(announcement, signal));
  }

  /** Sends all of them. */
  async function announce(deps: ActivityDeps, { tenant, ids }: AnnounceInput): Promise<void> {
    const signal = cancellationSignal();
    for (const id of ids) {
      signal.throwIfAborted();
      heartbeat();
      await underWay.get(id);
      for (const announcement of await deps.outbox.unsent([id])) {
        await join(deps, { tenant, announcement }, signal);
        await deps.outbox.markSent([id]);
      }
    }
  }

  /** Sends those that the destination takes within a second, up to the first that it does not; returns the others. */
  async function announceAtOnce(deps: ActivityDeps, { tenant, ids }: AnnounceInput): Promise<readonly string[]> {
    const late = Promise.withResolvers<false>();
    const timer = setTimeout(late.resolve, AT_ONCE_MS, false);
    const sent: string[] = [];
    try {
      for (const announcement of await deps.outbox.unsent(ids)) {
        const { id } = announcement;
        const sending = join(deps, { tenant, announcement }, NEVER);
        if (!(await Promise.race([sending.then(yes, no), late.promise]))) {
          // What has begun goes on, and the attempt after this one waits for it.
          track(
            id,
            sending.then(() => deps.outbox.markSent([id])),
          ).catch(no);
          return ids.slice(ids.indexOf(id));
        }
        sent.push(id);
      }
      return [];
    } finally {
      clearTimeout(timer);
      if (sent.length > 0) await deps.outbox.markSent(sent);
    }
  }

  /** Records changes and announces them as {@link announceAtOnce} does. */
  async function publish(deps: ActivityDeps, { announce, ...recording }: PublishInput): Promise<Recorded> {
    const recorded = await record(deps, recording);
    if (!announce || recorded.left.length === 0) return recorded;
    return { left: await announceAtOnce(deps, { tenant: recording.subject.tenant, ids: recorded.left }) };
  }

  return { announce, announceAtOnce, publish };
}

interface Sending {
  readonly tenant: string;
  readonly announcement: Announcement;
}

const NEVER = new AbortController().signal;
const yes = () => true;
const no = () => false;

/** Parks those of the announcements that were not acknowledged, until somebody asks for them to be sent again; returns their ids. */
export async function park(deps: ActivityDeps, { ids, reason }: ParkInput): Promise<readonly string[]> {
  return deps.outbox.park(ids, reason);
}
