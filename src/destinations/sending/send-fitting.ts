import type { Extent } from '../../domain/detail.ts';
import { DocklineError } from '../../domain/errors.ts';
import type { Announcement, Receipt } from '../../domain/outgoing.ts';
import { type AnnouncementForm, thinForm, thinnerForms } from '../announcements/thinner.ts';

/** Sends a body. Returns the failure if it may have been too large; throws every other one. */
type Attempt = (body: Buffer) => Promise<Receipt | DocklineError>;

/** Form of an announcement, as the body in which it is sent. */
interface Candidate extends Pick<AnnouncementForm, 'leftOut'> {
  readonly body: Buffer;
}

/** Sends an announcement in the largest of its forms that its destination is to get and that is not too large for it. */
export async function sendFitting(announcement: Announcement, extent: Extent, attempt: Attempt): Promise<Receipt> {
  let tooLarge: DocklineError | undefined;
  for (const { body, leftOut } of candidates(announcement, extent)) {
    const outcome = await attempt(body);
    if (!(outcome instanceof DocklineError)) return { ...outcome, ...(leftOut && { leftOut }) };
    tooLarge = outcome;
  }
  throw tooLarge;
}

/**
 * Returns the bodies to try, one after the other: the largest that the limit allows, or else the smallest; then the next smaller one,
 * and the smallest. Nothing is composed before it is asked for.
 */
function* candidates(
  announcement: Announcement,
  { detail, maxBytes = Number.POSITIVE_INFINITY }: Extent,
): Generator<Candidate> {
  const write = ({ body, leftOut }: AnnouncementForm) => ({ body: Buffer.from(body), leftOut });
  if (detail === 'thin') return yield write(thinForm(announcement));
  const thinner = thinnerForms(announcement);
  let candidate = write(announcement);
  for (;;) {
    const next = candidate.body.byteLength > maxBytes ? thinner.next().value : undefined;
    if (!next) break;
    candidate = write(next);
  }
  yield candidate;
  for (const form of firstAndLast([...thinner])) yield write(form);
}

const firstAndLast = <T>(all: readonly T[]): readonly T[] =>
  all.length > 2 ? [...all.slice(0, 1), ...all.slice(-1)] : all;
