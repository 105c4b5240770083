import { sql, type Transaction } from 'kysely';
import type { Decision, Recording, Subjects, WaitingEvent } from '../../../activities/ports/recording.ts';
import { type SubjectRef, subjectKey } from '../../domain/catalogue/subject.ts';
import type { Connections } from '../engines/connections.ts';
import { isPostgres } from '../engines/dialect.ts';
import type { Database, StoreDeps } from '../schema.ts';
import { insertAnnouncements, timelineSince, unsentOf } from './announcements.ts';
import { findBody } from './bodies.ts';
import { settle } from './dispatches.ts';
import { createResources } from './resources.ts';
import { findSaved, saveSubject } from './saved-subjects.ts';
import { type WaitingCount, waitingRows } from './waiting.ts';

/** Creates the subjects. One transaction marks events as observed and saves the decision that is based on them. */
export function createSubjects({
  db,
  durably,
  now,
  waiting,
}: StoreDeps & Pick<Connections, 'durably'> & { readonly waiting: WaitingCount }): Subjects {
  return {
    async load(subject, limit) {
      const events = await waitingRows(db)
        .select(['event_id as id', 'event as json'])
        .where('subject_key', '=', subjectKey(subject))
        // Not "id" alone, which is the alias of the event's id here.
        .orderBy('inbox.id')
        .limit(limit)
        .$narrowType<{ json: string }>()
        .execute();
      return { saved: await findSaved(db, subject), events };
    },

    async record<T extends Decision>(
      subject: SubjectRef,
      eventIds: readonly string[],
      decide: (recording: Recording) => Promise<T>,
    ) {
      const recorded = await durably(async (transaction) => {
        if (isPostgres<Database>(transaction)) await lockSubject(transaction, subject);
        const { events, receivedAt } = await observeRows(transaction, eventIds, now());
        const decision = await decide({
          saved: await findSaved(transaction, subject),
          events,
          resources: createResources({ db: transaction, now }),
          bodyOf: (eventId) => findBody(transaction, eventId),
        });
        const at = now();
        const leasedUntil = decision.leaseMs === undefined ? null : at + decision.leaseMs;
        await saveSubject(transaction, subject, decision.saved, { now: at, retrieved: decision.retrieved });
        await insertAnnouncements(transaction, subject, decision.announcements, { now: at, leasedUntil });
        const names = await settle(transaction, subjectKey(subject), at);
        return { decision, leasedUntil, receivedAt, waiting: names };
      });
      waiting.change(-recorded.receivedAt.length);
      return recorded;
    },

    settle: (subject) => db.transaction().execute((transaction) => settle(transaction, subjectKey(subject), now())),
    since: (subject, revision) => timelineSince(db, subject, revision),
    unsent: (subject) => unsentOf(db, subject),
  };
}

/** Keeps other processes from recording the subject until the transaction ends. PostgreSQL only. */
export async function lockSubject(transaction: Transaction<Database>, subject: SubjectRef): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${subjectKey(subject)}, 0))`.execute(transaction);
}

/** Marks waiting events as observed and returns those that were waiting, in the order of the inbox. */
async function observeRows(
  transaction: Transaction<Database>,
  eventIds: readonly string[],
  now: number,
): Promise<{ readonly events: readonly WaitingEvent[]; readonly receivedAt: readonly number[] }> {
  if (eventIds.length === 0) return { events: [], receivedAt: [] };
  const rows = await transaction
    .updateTable('inbox')
    .set({ observed_at: now })
    .where('event_id', 'in', eventIds)
    .where('observed_at', 'is', null)
    .where('quarantine_reason', 'is', null)
    .returning(['id', 'event_id', 'event', 'received_at'])
    .$narrowType<{ event: string }>()
    .execute();
  const ordered = rows.sort((a, b) => a.id - b.id);
  return {
    events: ordered.map(({ event_id, event }) => ({ id: event_id, json: event })),
    receivedAt: ordered.map(({ received_at }) => received_at),
  };
}
