import { ApplicationFailure, activityInfo } from '@temporalio/activity';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import { messageOf } from '../src/domain/errors.ts';
import type { AnnouncementResult, LeasedAnnouncement, Outgoing } from '../src/domain/outgoing.ts';
import { withJitter } from '../src/domain/retry-policy.ts';
import type { Identity } from '../src/domain/routing.ts';
import { askedWait, noteFailure, toFailure, waitAfter } from './failure.ts';
import type { ActivityDeps } from './ports/deps.ts';
import { isFailure, isRejection, type SendFailure, type Sent, send, sendOne } from './send.ts';

export interface AnnounceInput {
  readonly subject: SubjectRef;
  readonly destination: string;
  readonly ids: readonly string[];
  /** Tries every announcement, whatever happens to the others: each was rejected before. */
  readonly each?: boolean;
}

export interface Announced {
  readonly results: readonly AnnouncementResult[];
  /** Ids of those that the destination rejects while it accepts others. */
  readonly refused: readonly string[];
}

export interface AnnouncedInline extends Announced {
  readonly left: readonly string[];
  readonly waitMs?: number;
}

/** Attempts after which a failing announcement no longer holds back those behind it. */
const PATIENT_ATTEMPTS = 4;

/**
 * Sends announcements in order. While the destination accepts none, all are held back and Temporal retries. An
 * announcement that fails for too long is dead-lettered.
 */
export async function announce(deps: ActivityDeps, input: AnnounceInput): Promise<Announced> {
  const { subject, destination, ids, each = false } = input;
  const { attempt } = activityInfo();
  const leave = deps.destinationWatch.enter({ tenant: subject.tenant, id: destination });
  if (!leave)
    throw busy(
      'as many attempts to the destination are under way as one may have',
      Math.min(LONGEST_PLACE_WAIT_MS, 1000 * attempt),
    );
  try {
    const queue = ids.map((id) => ({ id, destination }));
    const { results, refused, stuck, waitMs } = await sendAll(
      deps,
      { subject, destination, queue },
      {
        each,
        send: (announcement) => sendOne(deps, subject, announcement),
        // Temporal counts attempts that found no place, and the store those before somebody had it sent again.
        holdsBack: ({ attempts }) => Math.min(attempt, attempts) < PATIENT_ATTEMPTS,
        waitMs: ({ error }, giveUpAt) =>
          Math.max(1, Math.min(waitAfter(error, attempt, 'announce', deps.retry), giveUpAt - Date.now())),
      },
    );
    if (stuck?.quietMs !== undefined) throw busy(messageOf(stuck.error), stuck.quietMs, [{ results }]);
    if (stuck) throw toFailure(stuck.error, waitMs, [{ results }]);
    if (refused.length === 0 && Object.keys(await deps.subjects.unsent(subject)).length === 0)
      await deps.activityFailures.end(subject, 'announcing');
    return { results, refused };
  } finally {
    leave();
  }
}

const LONGEST_PLACE_WAIT_MS = 30_000;

/** Gives the worker's slot back at once, so that other destinations have it. */
const busy = (message: string, waitMs: number, details: readonly unknown[] = []): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'ERR_DESTINATION_BUSY',
    message,
    nextRetryDelay: withJitter(waitMs),
    details: [...details],
  });

/** It delays its workflow's task. */
const INLINE_MS = 1000;

/**
 * To all destinations side by side, to each up to the first that it does not accept within a second; releases the
 * others.
 */
export async function announceInline(
  deps: ActivityDeps,
  subject: SubjectRef,
  leased: readonly LeasedAnnouncement[],
): Promise<Readonly<Record<string, AnnouncedInline>>> {
  const timedOut = Promise.withResolvers<void>();
  const timer = setTimeout(timedOut.resolve, INLINE_MS);
  const queues = Map.groupBy(leased, ({ destination }) => destination);
  const announcing = Promise.all(
    [...queues].map(async ([destination, queue]) => {
      const sent = await sendInline(deps, { subject, destination, queue }, timedOut.promise);
      return [destination, sent] as const;
    }),
  );
  // At a stop the attempt may end before, and go on with the next announcement.
  deps.inBackground(announcing);
  try {
    return Object.fromEntries(await announcing);
  } finally {
    clearTimeout(timer);
  }
}

async function sendInline(
  deps: ActivityDeps,
  outgoing: Queue<LeasedAnnouncement>,
  late: Promise<void>,
): Promise<AnnouncedInline> {
  const { destination, queue } = outgoing;
  const { tenant } = outgoing.subject;
  const { results, refused, stuck, waitMs } = await sendAll(deps, outgoing, {
    send: (announcement) =>
      Promise.race([send(deps, tenant, announcement), late.then(() => ({ ...announcement, ...LATE }))]),
    holdsBack: () => true,
    waitMs: ({ error }) => askedWait(error, deps.retry),
  });
  if (!stuck) return { results, refused, left: [] };
  const left = queue.slice(queue.findIndex(({ id }) => id === stuck.id));
  deps.breaker.open({ tenant, operation: `announce to ${destination}` });
  await deps.outbox.release(left.slice(1));
  return { results, refused, left: left.map(({ id }) => id), ...(waitMs > 0 && { waitMs }) };
}

/** An exchange that goes on; a regular activity waits for it. */
const LATE: Omit<SendFailure, 'id' | 'attempts'> = {
  error: new Error(`no answer within ${INLINE_MS} ms`),
  giveUpAt: Infinity,
  quietMs: 0,
};

interface Queue<One extends Outgoing> {
  readonly subject: SubjectRef;
  readonly destination: Identity;
  readonly queue: readonly One[];
}

interface Budget<One extends Outgoing> {
  readonly each?: boolean;
  send(announcement: One): Promise<Sent>;
  /** For failures that are no rejection. */
  holdsBack(failure: SendFailure): boolean;
  /** After a failure that ends the pass; `giveUpAt` is of the first failing announcement. */
  waitMs(stuck: SendFailure, giveUpAt: number): number;
}

interface Pass extends Announced {
  /** Failure that keeps the others, or itself, from being sent now; noted for people. */
  readonly stuck?: SendFailure | undefined;
  readonly waitMs: number;
}

/**
 * Sends to one destination in order. A failure other than a rejection ends the pass if it holds back those behind it;
 * otherwise it concerns that announcement alone if a later one is accepted.
 */
async function sendAll<One extends Outgoing>(
  deps: ActivityDeps,
  { subject, destination, queue }: Queue<One>,
  { each = false, ...budget }: Budget<One>,
): Promise<Pass> {
  const results: AnnouncementResult[] = [];
  const rejected: SendFailure[] = [];
  let held: SendFailure | undefined;
  for (const announcement of queue) {
    const sent = await budget.send(announcement);
    // Its subject is woken once it is resumed.
    if (sent === 'held') return { results, refused: idsOf(rejected), waitMs: 0 };
    if (sent === 'settled') results.push(...(await deps.outbox.results(destination, [announcement.id])));
    else if (!isFailure(sent)) {
      results.push(sent);
      if (held) rejected.push(held);
      held = undefined;
    } else if (each || isRejection(sent)) rejected.push(sent);
    else {
      const isStuck = held !== undefined || budget.holdsBack(sent);
      held ??= sent;
      if (isStuck) break;
    }
  }
  const stuck = each ? rejected.shift() : held;
  const giveUpAt = Math.min(...[...rejected, ...(stuck ? [stuck] : [])].map((failure) => failure.giveUpAt));
  const waitMs = stuck ? budget.waitMs(stuck, giveUpAt) : 0;
  if (stuck && stuck.quietMs === undefined) {
    const { error } = stuck;
    await noteFailure(deps, subject, 'announcing', { error, operation: 'announce', destination, waitMs });
  }
  return { results, refused: idsOf(rejected), stuck, waitMs };
}

const idsOf = (failures: readonly SendFailure[]): readonly string[] => failures.map(({ id }) => id);
