import type { Announcement, Receipt } from '../../activities/ports/announcing.ts';
import { DocklineError } from '../domain/errors.ts';
import { type AnnouncementForm, thinnerForms } from './thinner.ts';

/** Returns the acknowledgment; or the failure, if the message was too large. Every other failure is thrown. */
type Attempt<Message> = (message: Message) => Promise<Receipt | DocklineError>;

/** Sends an announcement in the largest of its forms that has at most so many bytes and is not too large for the destination. */
export async function sendFitting<Message extends { readonly body: Buffer }>(
  announcement: Announcement,
  {
    toMessage,
    maxBytes = Number.POSITIVE_INFINITY,
  }: { readonly toMessage: (body: string) => Message; readonly maxBytes?: number | undefined },
  attempt: Attempt<Message>,
): Promise<Receipt> {
  const thinner = thinnerForms(announcement);
  const sendForm = async ({ body, leftOut }: AnnouncementForm): Promise<Receipt> => {
    const message = toMessage(body);
    const smaller = message.body.byteLength > maxBytes ? thinner.next().value : undefined;
    if (smaller) return await sendForm(smaller);
    const outcome = await attempt(message);
    if (!(outcome instanceof DocklineError)) return { ...outcome, ...(leftOut && { leftOut }) };
    const next = thinner.next().value;
    if (next) return await sendForm(next);
    throw outcome;
  };
  return await sendForm(announcement);
}
