import { ApplicationFailure, activityInfo } from '@temporalio/activity';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { AnnouncementResult, LeasedAnnouncement } from '../src/domain/outgoing.ts';
import { longestWaitMs, withJitter } from '../src/domain/retry-policy.ts';
import { askedWait, noteFailure, toFailure, waitAfter } from './failure.ts';
import type { ActivityDeps } from './ports/deps.ts';
import { isFailure, isRejection, type SendFailure, send, sendOne } from './send.ts';

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
  const { rejected, stuck } = await (each ? sendEach(deps, input) : sendInOrder(deps, input, attempt));
  if (stuck) {
    const waitMs = waitFor(stuck, [...rejected, stuck], attempt, deps);
    await noteFailure(deps, subject, 'announcing', { error: stuck.error, operation: 'announce', waitMs });
    throw toFailure(stuck.error, waitMs, [{ results: await deps.outbox.results(destination, ids) }]);
  }
  if (rejected.length === 0 && Object.keys(await deps.subjects.unsent(subject)).length === 0) {
    await deps.troubles.end(subject, 'announcing');
  }
  return { results: await deps.outbox.results(destination, ids), refused: rejected.map(({ id }) => id) };
}

interface Pass {
  readonly rejected: readonly SendFailure[];
  /** Failure that keeps the others, or itself, from being sent now. */
  readonly stuck?: SendFailure | undefined;
}

async function sendInOrder(
  deps: ActivityDeps,
  { subject, destination, ids }: AnnounceInput,
  attempt: number,
): Promise<Pass> {
  const rejected: SendFailure[] = [];
  let held: SendFailure | undefined;
  for (const id of ids) {
    const sent = await sendOne(deps, subject, { id, destination });
    // Its subject is woken once it is resumed.
    if (sent === 'held') return { rejected };
    if (!isFailure(sent)) {
      // The destination accepts others, so the failure before concerns that announcement alone.
      if (held && sent !== 'settled') rejected.push(held);
      if (sent !== 'settled') held = undefined;
    } else if (isRejection(sent)) rejected.push(sent);
    // Temporal counts attempts that found no place, and the store those before somebody had it sent again.
    else if (held || Math.min(attempt, sent.attempts) < PATIENT_ATTEMPTS) return { rejected, stuck: held ?? sent };
    else held = sent;
  }
  return { rejected, stuck: held };
}

async function sendEach(deps: ActivityDeps, { subject, destination, ids }: AnnounceInput): Promise<Pass> {
  const failures: SendFailure[] = [];
  for (const id of ids) {
    const sent = await sendOne(deps, subject, { id, destination });
    if (isFailure(sent)) failures.push(sent);
  }
  const [stuck, ...rejected] = failures;
  return { rejected, stuck };
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

/** Result of announcing within the workflow's own task. */
export interface AnnouncedInline extends Announced {
  /** Ids of those that are left, in order. */
  readonly left: readonly string[];
  /** Wait that the destination asked for before they are sent, in milliseconds; absent if it asked for none. */
  readonly waitMs?: number;
}

/** Timeout of inline announcing, which delays its workflow's task, in milliseconds. */
const INLINE_MS = 1000;

/**
 * Sends announcements that this process has leased, to their destinations side by side, to each up to the first that it does not accept
 * within a second; those behind it are released.
 */
export async function announceInline(
  deps: ActivityDeps,
  subject: SubjectRef,
  leased: readonly LeasedAnnouncement[],
): Promise<Readonly<Record<string, AnnouncedInline>>> {
  const late = Promise.withResolvers<'late'>();
  const timer = setTimeout(late.resolve, INLINE_MS, 'late');
  const queues = Map.groupBy(leased, ({ destination }) => destination);
  const announce = async ([destination, queue]: readonly [string, readonly LeasedAnnouncement[]]) =>
    [destination, await sendInline(deps, { subject, destination, queue }, late.promise)] as const;
  const announcing = Promise.all([...queues].map(announce));
  // At a stop the attempt may end before, and go on with the next announcement.
  deps.inBackground(announcing);
  try {
    return Object.fromEntries(await announcing);
  } finally {
    clearTimeout(timer);
  }
}

/** Leased announcements of a subject for one destination. */
interface Queue {
  readonly subject: SubjectRef;
  readonly destination: string;
  readonly queue: readonly LeasedAnnouncement[];
}

async function sendInline(
  deps: ActivityDeps,
  { subject, destination, queue }: Queue,
  late: Promise<'late'>,
): Promise<AnnouncedInline> {
  const results: AnnouncementResult[] = [];
  const rejected: string[] = [];
  for (const [index, announcement] of queue.entries()) {
    const { id } = announcement;
    const sent = await Promise.race([send(deps, subject.tenant, announcement), late]);
    if (sent === 'settled') results.push(...(await deps.outbox.results(destination, [id])));
    else if (sent !== 'late' && !isFailure(sent)) results.push(sent);
    else if (sent !== 'late' && isRejection(sent)) rejected.push(id);
    else {
      const error = sent === 'late' ? new Error(`no answer within ${INLINE_MS} ms`) : sent.error;
      return {
        results,
        refused: rejected,
        ...(await giveBack(deps, { subject, destination, queue: queue.slice(index) }, error)),
      };
    }
  }
  return { results, refused: rejected, left: [] };
}

async function giveBack(
  deps: ActivityDeps,
  { subject, destination, queue }: Queue,
  error: unknown,
): Promise<Pick<AnnouncedInline, 'left' | 'waitMs'>> {
  const waitMs = askedWait(error, deps.retry);
  deps.inline.announcingFailed(subject.tenant, destination);
  await deps.outbox.release(queue.slice(1));
  await noteFailure(deps, subject, 'announcing', { error, operation: 'announce', waitMs });
  return { left: queue.map(({ id }) => id), ...(waitMs > 0 && { waitMs }) };
}
