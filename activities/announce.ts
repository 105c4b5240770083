import { setTimeout as pause } from 'node:timers/promises';
import { activityInfo, cancellationSignal } from '@temporalio/activity';
import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import { DocklineError } from '../src/domain/errors.ts';
import { longestWaitMs } from '../src/domain/retry-policy.ts';
import { noteFailure, toFailure, waitAfter } from './failure.ts';
import type { ActivityDeps, Announcement, AnnouncementResult, Lease, LeasedAnnouncement } from './ports.ts';

/** Announcements of one subject, in their order. */
export interface AnnounceInput {
  readonly subject: SubjectRef;
  readonly ids: readonly string[];
  /** They were refused before, each by itself: every one is tried, whatever becomes of the others. */
  readonly each?: boolean;
}

/** What became of announcements. */
export interface Announced {
  /** Those that were acknowledged or given up. */
  readonly results: readonly AnnouncementResult[];
  /** Ids of those that the destination refuses while it takes others. */
  readonly refused: readonly string[];
}

/** How much longer than an exchange can take an announcement is one process's to send, in milliseconds. */
const LEASE_MARGIN_MS = 5_000;

/** How often it is looked whether another process is done with an announcement, in milliseconds. */
const LEASE_POLL_MS = 100;

/** After so many attempts an announcement that gets no acknowledgment no longer holds back those behind it. */
const PATIENT_ATTEMPTS = 4;

/** What came of sending one announcement: `settled` where it was acknowledged or given up before. */
type Sent = AnnouncementResult | Failure | 'settled';

/** Why an announcement was not acknowledged. */
interface Failure {
  readonly id: string;
  readonly error: unknown;
  /** When it is to be given up, in milliseconds since the epoch. */
  readonly giveUpAt: number;
}

const isFailure = (sent: Sent): sent is Failure => sent !== 'settled' && 'error' in sent;

const isRefusal = ({ error }: Failure): boolean =>
  error instanceof DocklineError && error.code === 'ERR_DESTINATION_REFUSED';

/** How long an announcement is one process's to send, in milliseconds. */
export const leaseMsOf = ({ destinationOf }: Pick<ActivityDeps, 'destinationOf'>, tenant: string): number =>
  destinationOf(tenant).timeoutMs + LEASE_MARGIN_MS;

/**
 * Sends announcements in their order. A refusal concerns one of them and is returned; while the destination takes none, they are
 * held back, and Temporal tries again. An announcement that has failed for too long is given up.
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
  readonly refused: readonly Failure[];
  /** What keeps the others, or itself, from being sent now. */
  readonly stuck?: Failure | undefined;
}

async function sendInOrder(
  deps: ActivityDeps,
  subject: SubjectRef,
  ids: readonly string[],
  attempt: number,
): Promise<Pass> {
  const refused: Failure[] = [];
  let held: Failure | undefined;
  for (const id of ids) {
    const sent = await sendOne(deps, subject, id);
    if (!isFailure(sent)) {
      // The destination takes others, so what failed before it concerns that one alone.
      if (held && sent !== 'settled') refused.push(held);
      if (sent !== 'settled') held = undefined;
    } else if (isRefusal(sent)) refused.push(sent);
    else if (held || attempt < PATIENT_ATTEMPTS) return { refused, stuck: held ?? sent };
    else held = sent;
  }
  return { refused, stuck: held };
}

async function sendEach(deps: ActivityDeps, subject: SubjectRef, ids: readonly string[]): Promise<Pass> {
  const failures: Failure[] = [];
  for (const id of ids) {
    const sent = await sendOne(deps, subject, id);
    if (isFailure(sent)) failures.push(sent);
  }
  const [stuck, ...refused] = failures;
  return { refused, stuck };
}

/** The wait before the next attempt, in milliseconds, which is no later than the first of them is to be given up. */
function waitFor(stuck: Failure, failures: readonly Failure[], attempt: number, { retry }: ActivityDeps): number {
  const giveUpAt = Math.min(...failures.map((failure) => failure.giveUpAt));
  const waitMs = waitAfter(stuck.error, attempt, longestWaitMs.announce, retry);
  return Math.max(1, Math.min(waitMs, giveUpAt - Date.now()));
}

async function sendOne(deps: ActivityDeps, { tenant }: SubjectRef, id: string): Promise<Sent> {
  const signal = cancellationSignal();
  for (;;) {
    signal.throwIfAborted();
    const leased = await deps.outbox.lease(id, leaseMsOf(deps, tenant));
    if (leased === undefined) return 'settled';
    if (leased !== 'leased') return await send(deps, tenant, leased);
    await pause(LEASE_POLL_MS);
  }
}

/** Sends a leased announcement. An exchange that has begun is brought to its end, or nobody would know whether it was taken. */
async function send(deps: ActivityDeps, tenant: string, announcement: LeasedAnnouncement): Promise<Sent> {
  const { id, triedSince, attempts } = announcement;
  const startedAt = performance.now();
  const since = () => Math.round(performance.now() - startedAt);
  const giveUpAt = triedSince + deps.announceForMs;
  let status: number;
  try {
    status = await deps.destinationOf(tenant).send(announcement, NEVER);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const answer = { status: error instanceof DocklineError ? (error.status ?? null) : null, ms: since() };
    await deps.outbox.failed(announcement, { ...answer, error: message });
    if (Date.now() < giveUpAt) return { id, error, giveUpAt };
    await deps.outbox.deadLetter(id, message);
    return 'settled';
  }
  const answer = { status, ms: since() };
  await deps.outbox.sent(id, answer);
  return { id, ...answer, attempts: attempts + 1 };
}

const NEVER = new AbortController().signal;

/** What became of announcements that were sent within their workflow's own task. */
export interface AnnouncedInline extends Announced {
  /** Ids of those that are left, in order. */
  readonly left: readonly string[];
}

/** How long an attempt that holds up its workflow's task begins and waits for sendings, in milliseconds. */
const INLINE_MS = 1000;

/**
 * Sends announcements that are leased to this process, up to the first that the destination does not take within a second; those
 * behind it are given back.
 */
export async function announceInline(
  deps: ActivityDeps,
  subject: SubjectRef,
  announcements: readonly (Announcement & Lease)[],
): Promise<AnnouncedInline> {
  const late = Promise.withResolvers<'late'>();
  const timer = setTimeout(late.resolve, INLINE_MS, 'late');
  const results: AnnouncementResult[] = [];
  const refused: string[] = [];
  const triedSince = Date.now();
  try {
    for (const [index, announcement] of announcements.entries()) {
      const { id } = announcement;
      const sending = send(deps, subject.tenant, { ...announcement, triedSince, attempts: 0 });
      const sent = await Promise.race([sending, late.promise]);
      if (sent === 'settled') results.push(...(await deps.outbox.results([id])));
      else if (sent !== 'late' && !isFailure(sent)) results.push(sent);
      else if (sent !== 'late' && isRefusal(sent)) refused.push(id);
      else {
        sending.catch(() => undefined);
        const error = sent === 'late' ? new Error(`no answer within ${INLINE_MS} ms`) : sent.error;
        return { results, refused, left: await giveBack(deps, subject, announcements.slice(index), error) };
      }
    }
    return { results, refused, left: [] };
  } finally {
    clearTimeout(timer);
  }
}

async function giveBack(
  deps: ActivityDeps,
  subject: SubjectRef,
  announcements: readonly (Announcement & Lease)[],
  error: unknown,
): Promise<string[]> {
  const ids = announcements.map(({ id }) => id);
  deps.inline.failed(subject.tenant, 'announce');
  await deps.outbox.release(announcements.slice(1));
  await noteFailure(deps, subject, 'announcing', { error, operation: 'announce', waitMs: 0 });
  return ids;
}
