import type { Extent } from '../domain/detail.ts';
import { DocklineError } from '../domain/errors.ts';
import type { Announcement, Receipt } from '../domain/outgoing.ts';
import { type AnnouncementForm, thinForm, thinnerForms } from './thinner.ts';

/** Returns the acknowledgment; or the failure, if the message may have been too large. Every other failure is thrown. */
type Attempt<Message> = (message: Message) => Promise<Receipt | DocklineError>;

/** Form and extent in which a destination takes announcements, whatever its kind. */
interface Taking<Message> extends Extent {
  readonly toMessage: (body: string) => Message;
}

/** Form of an announcement, as the message in which it is sent. */
interface Candidate<Message> extends Pick<AnnouncementForm, 'leftOut'> {
  readonly message: Message;
}

/** Sends an announcement in the largest of its forms that its destination is to get and that is not too large for it. */
export async function sendFitting<Message extends { readonly body: Buffer }>(
  announcement: Announcement,
  taking: Taking<Message>,
  attempt: Attempt<Message>,
): Promise<Receipt> {
  let tooLarge: DocklineError | undefined;
  for (const { message, leftOut } of candidates(announcement, taking)) {
    const outcome = await attempt(message);
    if (!(outcome instanceof DocklineError)) return { ...outcome, ...(leftOut && { leftOut }) };
    tooLarge = outcome;
  }
  throw tooLarge;
}

/**
 * Returns the messages to try, one after the other: the largest that the limit allows, or else the smallest; then the next smaller one,
 * and the smallest. Nothing is composed before it is asked for.
 */
function* candidates<Message extends { readonly body: Buffer }>(
  announcement: Announcement,
  { toMessage, detail, maxBytes = Number.POSITIVE_INFINITY }: Taking<Message>,
): Generator<Candidate<Message>> {
  const write = ({ body, leftOut }: AnnouncementForm) => ({ message: toMessage(body), leftOut });
  if (detail === 'thin') return yield write(thinForm(announcement));
  const thinner = thinnerForms(announcement);
  let candidate = write(announcement);
  for (;;) {
    const next = candidate.message.body.byteLength > maxBytes ? thinner.next().value : undefined;
    if (!next) break;
    candidate = write(next);
  }
  yield candidate;
  for (const form of firstAndLast([...thinner])) yield write(form);
}

const firstAndLast = <T>(all: readonly T[]): readonly T[] =>
  all.length > 2 ? [...all.slice(0, 1), ...all.slice(-1)] : all;
