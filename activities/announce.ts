import { activityInfo } from '@temporalio/activity';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import { longestWaitMs } from '../src/domain/retry-policy.ts';
import { noteFailure, toFailure, waitAfter } from './failure.ts';
import type { AnnouncementResult } from './ports/announcing.ts';
import type { ActivityDeps } from './ports/deps.ts';
import { isFailure, isRefusal, type SendFailure, sendOne } from './send.ts';

/** Announcements of one subject, in their order. */
export interface AnnounceInput {
  readonly subject: SubjectRef;
  readonly ids: readonly string[];
  /** Tries every announcement, whatever happens to the others: each was refused before. */
  readonly each?: boolean;
}

/** Result of announcing. */
export interface Announced {
  /** Results of those that were acknowledged or dead-lettered. */
  readonly results: readonly AnnouncementResult[];
  /** Ids of those that the destination refuses while it accepts others. */
  readonly refused: readonly string[];
}

/** Number of attempts after which a failing announcement no longer holds back those behind it. */
const PATIENT_ATTEMPTS = 4;

/**
 * Sends announcements in their order. A refusal concerns a single announcement and is returned. While the destination accepts none,
 * all are held back, and Temporal retries. An announcement that fails for too long is dead-lettered.
 */
export async function announce(deps: ActivityDeps, input: AnnounceInput): Promise<Announced> {
  const { subject, ids, each = false } = input;
  const { attempt } = activityInfo();
  const { refused, stuck } = await (each ? sendEach(deps, subject, ids) : sendInOrder(deps, subject, ids, attempt));
  if (stuck) {
    const waitMs = waitFor(stuck, [...refused, stuck], attempt, deps);
    await noteFailure(deps, subject, 'announcing', { error: stuck.error, operation: 'announce', waitMs });
    throw toFailure(stuck.error, waitMs, [{ results: await deps.outbox.results(ids) }]);
  }
  if (refused.length === 0 && (await deps.subjects.unsent(subject)).length === 0) {
    await deps.troubles.end(subject, 'announcing');
  }
  return { results: await deps.outbox.results(ids), refused: refused.map(({ id }) => id) };
}

interface Pass {
  readonly refused: readonly SendFailure[];
  /** Failure that keeps the others, or itself, from being sent now. */
  readonly stuck?: SendFailure | undefined;
}

async function sendInOrder(
  deps: ActivityDeps,
  subject: SubjectRef,
  ids: readonly string[],
  attempt: number,
): Promise<Pass> {
  const refused: SendFailure[] = [];
  let held: SendFailure | undefined;
  for (const id of ids) {
    const sent = await sendOne(deps, subject, id);
    if (!isFailure(sent)) {
      // The destination accepts others, so the failure before concerns that announcement alone.
      if (held && sent !== 'settled') refused.push(held);
      if (sent !== 'settled') held = undefined;
    } else if (isRefusal(sent)) refused.push(sent);
    else if (held || attempt < PATIENT_ATTEMPTS) return { refused, stuck: held ?? sent };
    else held = sent;
  }
  return { refused, stuck: held };
}

async function sendEach(deps: ActivityDeps, subject: SubjectRef, ids: readonly string[]): Promise<Pass> {
  const failures: SendFailure[] = [];
  for (const id of ids) {
    const sent = await sendOne(deps, subject, id);
    if (isFailure(sent)) failures.push(sent);
  }
  const [stuck, ...refused] = failures;
  return { refused, stuck };
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
