import { ApplicationFailure, activityInfo } from '@temporalio/activity';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { AnnouncementResult, Outgoing } from '../src/domain/outgoing.ts';
import { longestWaitMs, withJitter } from '../src/domain/retry-policy.ts';
import { noteFailure, toFailure, waitAfter } from './failure.ts';
import type { ActivityDeps } from './ports/deps.ts';
import { type SendFailure, sendOne } from './send.ts';
import { sendEach, sendInOrder } from './send-queue.ts';

/** Announcements of one subject for one destination, in their order. */
export interface AnnounceInput {
  readonly subject: SubjectRef;
  readonly destination: string;
  readonly ids: readonly string[];
  /** Tries every announcement, whatever happens to the others: each was rejected before. */
  readonly each?: boolean;
}

/** Result of announcing to one destination. */
export interface Announced {
  /** Results of those that were acknowledged or dead-lettered. */
  readonly results: readonly AnnouncementResult[];
  /** Ids of those that the destination rejects while it accepts others. */
  readonly refused: readonly string[];
}

/** Number of attempts after which a failing announcement no longer holds back those behind it. */
const PATIENT_ATTEMPTS = 4;

/**
 * Sends announcements in their order. A rejection concerns a single announcement and is returned. While the destination accepts none,
 * all are held back, and Temporal retries. An announcement that fails for too long is dead-lettered.
 */
export async function announce(deps: ActivityDeps, input: AnnounceInput): Promise<Announced> {
  const leave = deps.destinationWatch.enter({ tenant: input.subject.tenant, id: input.destination });
  if (!leave) throw noPlace();
  try {
    return await announceAll(deps, input);
  } finally {
    leave();
  }
}

/** Longest wait for a place, in milliseconds; the shortest is a second. */
const LONGEST_PLACE_WAIT_MS = 30_000;

/** Gives the worker's slot back at once, so that other destinations have it. */
function noPlace(): ApplicationFailure {
  const waitMs = Math.min(LONGEST_PLACE_WAIT_MS, 1000 * activityInfo().attempt);
  return ApplicationFailure.create({
    type: 'ERR_DESTINATION_BUSY',
    message: 'as many attempts to the destination are under way as one may have',
    nextRetryDelay: withJitter(waitMs),
  });
}

async function announceAll(deps: ActivityDeps, input: AnnounceInput): Promise<Announced> {
  const { subject, destination, ids, each = false } = input;
  const { attempt } = activityInfo();
  const queue = {
    outbox: deps.outbox,
    announcements: ids.map((id) => ({ id, destination })),
    send: (announcement: Outgoing) => sendOne(deps, subject, announcement),
  };
  // Temporal counts attempts that found no place, and the store those before somebody had it sent again.
  const holdsBack = ({ attempts }: SendFailure) => Math.min(attempt, attempts) < PATIENT_ATTEMPTS;
  const { results, rejected, stuck } = await (each ? sendEach(queue) : sendInOrder(queue, holdsBack));
  if (stuck) {
    const waitMs = waitFor(stuck, [...rejected, stuck], attempt, deps);
    await noteFailure(deps, subject, 'announcing', { error: stuck.error, operation: 'announce', waitMs });
    throw toFailure(stuck.error, waitMs, [{ results }]);
  }
  if (rejected.length === 0 && Object.keys(await deps.subjects.unsent(subject)).length === 0) {
    await deps.activityFailures.end(subject, 'announcing');
  }
  return { results, refused: rejected.map(({ id }) => id) };
}

/** Returns the wait before the next attempt, in milliseconds; it ends when the first of the failures is to be dead-lettered. */
function waitFor(
  stuck: SendFailure,
  failures: readonly SendFailure[],
  attempt: number,
  { retry }: ActivityDeps,
): number {
  const giveUpAt = Math.min(...failures.map((failure) => failure.giveUpAt));
  const waitMs = waitAfter(stuck.error, attempt, longestWaitMs.announce, retry);
  return Math.max(1, Math.min(waitMs, giveUpAt - Date.now()));
}
