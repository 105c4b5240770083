import type { Kysely } from 'kysely';
import { z } from 'zod';
import { type SubjectRef, subjectKey } from '../../domain/catalogue/subject.ts';
import type { Database } from '../../store/schema.ts';
import { isWaiting } from '../../store/tables/waiting.ts';
import { count, instant } from './view.ts';

/** Row of a webhook that was accepted and is not recorded yet. */
export const waitingWebhookRow = z.object({
  id: count,
  event: z.string().describe('Name of the event.'),
  eventId: z.string(),
  receivedAt: instant,
});

/** Returns the webhooks of a subject that wait to be recorded, oldest first. */
export async function waitingWebhooksOf(
  reads: Kysely<Database>,
  subject: SubjectRef,
  limit: number,
): Promise<readonly z.output<typeof waitingWebhookRow>[]> {
  const rows = await reads
    .selectFrom('inbox')
    .select(['id', 'event', 'event_id', 'received_at'])
    .where('subject_key', '=', subjectKey(subject))
    .where(isWaiting)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id, event, event_id: eventId, received_at: receivedAt }) => ({
    id,
    event: event === null ? eventId : (JSON.parse(event) as { readonly name: string }).name,
    eventId,
    receivedAt: new Date(receivedAt),
  }));
}
