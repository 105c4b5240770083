import { activityInfo } from '@temporalio/activity';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import { longestWaitMs } from '../src/domain/retry-policy.ts';
import { askedWait, noteFailure, toFailure, waitAfter } from './failure.ts';
import type { Announcement, AnnouncementResult, Lease } from './ports/announcing.ts';
import type { ActivityDeps } from './ports/deps.ts';
import { isFailure, isRejection, type SendFailure, send, sendOne } from './send.ts';

/** Announcements of one subject, in their order. */
export interface AnnounceInput {
  readonly subject: SubjectRef;
  readonly ids: readonly string[];
  /** Tries every announcement, whatever happens to the others: each was rejected before. */
  readonly each?: boolean;
}

/** Result of announcing. */
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
  const { subject, ids, each = false } = input;
  const { attempt } = activityInfo();
  const { rejected, stuck } = await (each ? sendEach(deps, subject, ids) : sendInOrder(deps, subject, ids, attempt));
  if (stuck) {
    const waitMs = waitFor(stuck, [...rejected, stuck], attempt, deps);
    await noteFailure(deps, subject, 'announcing', { error: stuck.error, operation: 'announce', waitMs });
    throw toFailure(stuck.error, waitMs, [{ results: await deps.outbox.results(ids) }]);
  }
  if (rejected.length === 0 && (await deps.subjects.unsent(subject)).length === 0) {
    await deps.troubles.end(subject, 'announcing');
  }
  return { results: await deps.outbox.results(ids), refused: rejected.map(({ id }) => id) };
}

interface Pass {
  readonly rejected: readonly SendFailure[];
  /** Failure that keeps the others, or itself, from being sent now. */
  readonly stuck?: SendFailure | undefined;
}

async function sendInOrder(
  deps: ActivityDeps,
  subject: SubjectRef,
  ids: readonly string[],
  attempt: number,
): Promise<Pass> {
  const rejected: SendFailure[] = [];
  let held: SendFailure | undefined;
  for (const id of ids) {
    const sent = await sendOne(deps, subject, id);
    if (!isFailure(sent)) {
      // The destination accepts others, so the failure before concerns that announcement alone.
      if (held && sent !== 'settled') rejected.push(held);
      if (sent !== 'settled') held = undefined;
    } else if (isRejection(sent)) rejected.push(sent);
    else if (held || attempt < PATIENT_ATTEMPTS) return { rejected, stuck: held ?? sent };
    else held = sent;
  }
  return { rejected, stuck: held };
}

async function sendEach(deps: ActivityDeps, subject: SubjectRef, ids: readonly string[]): Promise<Pass> {
  const failures: SendFailure[] = [];
  for (const id of ids) {
    const sent = await sendOne(deps, subject, id);
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
 * Sends announcements that this process has leased, up to the first that the destination does not accept within a second; those
 * behind it are released.
 */
export async function announceInline(
  deps: ActivityDeps,
  subject: SubjectRef,
  announcements: readonly (Announcement & Lease)[],
): Promise<AnnouncedInline> {
  const late = Promise.withResolvers<'late'>();
  const timer = setTimeout(late.resolve, INLINE_MS, 'late');
  const results: AnnouncementResult[] = [];
  const rejected: string[] = [];
  const triedSince = Date.now();
  try {
    for (const [index, announcement] of announcements.entries()) {
      const { id } = announcement;
      const sending = send(deps, subject.tenant, { ...announcement, triedSince, attempts: 0 });
      const sent = await Promise.race([sending, late.promise]);
      if (sent === 'settled') results.push(...(await deps.outbox.results([id])));
      else if (sent !== 'late' && !isFailure(sent)) results.push(sent);
      else if (sent !== 'late' && isRejection(sent)) rejected.push(id);
      else {
        const error = sent === 'late' ? new Error(`no answer within ${INLINE_MS} ms`) : sent.error;
        return { results, refused: rejected, ...(await giveBack(deps, subject, announcements.slice(index), error)) };
      }
    }
    return { results, refused: rejected, left: [] };
  } finally {
    clearTimeout(timer);
  }
}

async function giveBack(
  deps: ActivityDeps,
  subject: SubjectRef,
  announcements: readonly (Announcement & Lease)[],
  error: unknown,
): Promise<Pick<AnnouncedInline, 'left' | 'waitMs'>> {
  const waitMs = askedWait(error, deps.retry);
  deps.inline.failed(subject.tenant, 'announce');
  await deps.outbox.release(announcements.slice(1));
  await noteFailure(deps, subject, 'announcing', { error, operation: 'announce', waitMs });
  return { left: announcements.map(({ id }) => id), ...(waitMs > 0 && { waitMs }) };
}
