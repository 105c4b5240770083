import { CancellationScope, condition, log, setHandler, type sleep } from '@temporalio/workflow';
import type { Announcement, Kind, KnownAnnouncement, Milestone } from '../../src/announcement.ts';
import { parseValue } from '../../src/parse.ts';
import { handedOn } from './handed-on.ts';
import { acceptGap, nothing, type Received, type Step, take } from './received.ts';
import { announcementSignal, DEFAULT_SIGNAL, type SentAnnouncement } from './signal.ts';
import { milestoneOf, newestOf } from './standing.ts';

/** Duration as Temporal's timers take it: `2 days`, or milliseconds. */
export type Duration = Parameters<typeof sleep>[0];

/** Announcement of one of some milestones, by its `type`. */
export type AnnouncementOf<K extends Kind, M extends Milestone<K>> = { [N in M]: KnownAnnouncement<K, N> }[M];

export interface ReceiveOptions {
  /** Name of the signal, as the destination has it. Default: `dockline`. */
  readonly signal?: string | undefined;
  /** Time that an early announcement waits for those before it; then it is taken without them. Default: one minute. */
  readonly gapTimeout?: Duration | undefined;
  /** State that the run before has handed on. Default: none. */
  readonly received?: Received | undefined;
}

export interface UntilOptions {
  /** Ends the waiting. Default: it does not end. */
  readonly timeout?: Duration | undefined;
  /** Revision after which another announcement is awaited. Default: one that was taken before counts, too. */
  readonly after?: number | undefined;
}

/** Announcements of one subject, in its order. */
export interface Receiver<K extends Kind> {
  /**
   * Waits until a milestone, or one of several, is reached; resolves with its announcement. One that was reached before and not taken back since counts at
   * once: of several the newest. While it waits, it sees every announcement, also one that is taken back at once.
   */
  until<M extends Milestone<K>>(
    milestones: M | readonly M[],
    options?: UntilOptions & { readonly timeout?: undefined },
  ): Promise<AnnouncementOf<K, M>>;
  /** Waits likewise, and resolves with undefined after the timeout. */
  until<M extends Milestone<K>>(
    milestones: M | readonly M[],
    options: UntilOptions,
  ): Promise<AnnouncementOf<K, M> | undefined>;
  /** Returns the milestones that were reached and not taken back, in the order of the subject. */
  milestones(): Milestone<K>[];
  /** Returns what the next run needs to go on (`continueAsNew`), without records. Its size does not grow with the number of announcements. */
  received(): Received;
}

/**
 * Receives the announcements of one subject of a kind as signals, from now on and those that wait. They take effect in the order of the
 * subject, each once. What is not an announcement, or is that of another subject, is logged and ignored. Call it once, before anything is awaited.
 */
export function receive<K extends Kind>(kind: K, options: ReceiveOptions = {}): Receiver<K> {
  const { signal = DEFAULT_SIGNAL, gapTimeout = '1 minute' } = options;
  const waiters = new Set<(announcement: SentAnnouncement) => void>();
  let received = options.received ?? nothing;
  let isWatching = false;

  function adopt(step: Step): void {
    received = step.received;
    for (const announcement of step.reached) for (const waiter of waiters) waiter(announcement);
  }

  function handle(value: unknown): void {
    const announcement = read(value);
    if (announcement?.partitionkey === undefined) return;
    const step = announcement.partitionkey.startsWith(`${kind}:`) && take(received, announcement);
    if (!step || step.outcome === 'foreign') {
      log.warn('An announcement of another subject is ignored', { id: announcement.id, subject: received.subject });
      return;
    }
    adopt(step);
    watchGap();
  }

  /** Accepts a gap that lasts, whatever is canceled meanwhile. */
  function watchGap(): void {
    if (isWatching || received.early.length === 0) return;
    isWatching = true;
    void CancellationScope.nonCancellable(async () => {
      const { last } = received;
      const isFilled = await condition(() => received.last > last, gapTimeout);
      isWatching = false;
      if (!isFilled) {
        log.warn('Announcements are missing, and those after them are taken', { subject: received.subject, last });
        adopt(acceptGap(received));
      }
      watchGap();
    });
  }

  async function until(
    wanted: Milestone | readonly Milestone[],
    { timeout, after = 0 }: UntilOptions = {},
  ): Promise<SentAnnouncement | undefined> {
    const milestones = [wanted].flat();
    let found = newestOf(received.standing, milestones, after);
    const waiter = (announcement: SentAnnouncement) => {
      if (milestones.includes(milestoneOf(announcement))) found ??= announcement;
    };
    waiters.add(waiter);
    try {
      const isFound = () => found !== undefined;
      await (timeout === undefined ? condition(isFound) : condition(isFound, timeout));
      return found;
    } finally {
      waiters.delete(waiter);
    }
  }

  setHandler(announcementSignal(signal), handle, { description: `Announcements of Dockline: ${kind}` });
  watchGap();
  return {
    until: until as Receiver<K>['until'],
    milestones: () => received.standing.map(milestoneOf) as Milestone<K>[],
    received: () => handedOn(received),
  };
}

/** Reads the argument of a signal; undefined if it is not an announcement. */
function read(value: unknown): Announcement | undefined {
  try {
    return parseValue(value);
  } catch (error) {
    log.warn('A signal is ignored', { reason: error instanceof Error ? error.message : String(error) });
    return undefined;
  }
}
