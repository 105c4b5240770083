import type { SubjectRef } from '../src/domain/catalogue/subject.ts';
import type { Announced } from './announce.ts';
import { noteFailure } from './failure.ts';
import type { Announcement, AnnouncementResult, Lease } from './ports/announcing.ts';
import type { ActivityDeps } from './ports/deps.ts';
import { isFailure, isRefusal, send } from './send.ts';

/** Result of announcing within the workflow's own task. */
export interface AnnouncedInline extends Announced {
  /** Ids of those that are left, in order. */
  readonly left: readonly string[];
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
