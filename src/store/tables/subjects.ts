import { type Kysely, sql, type Transaction } from 'kysely';
import type { Announcement, Decision, Recording, Subjects, WaitingEvent } from '../../../activities/ports.ts';
import { type SubjectRef, subjectKey } from '../../domain/catalogue/subject.ts';
import { attentionOf, type SavedSubject } from '../../domain/lifecycle/attention.ts';
import { stageOf } from '../../domain/lifecycle/stage.ts';
import type { Connections } from '../engines/connections.ts';
import { isPostgres } from '../engines/dialect.ts';
import type { Database } from '../schema.ts';
import type { StoreDeps } from '../store-deps.ts';
import { namesWaiting } from './dispatches.ts';
import { findBody } from './inbox-rows.ts';
import { createResources } from './resources.ts';
import type { WaitingCount } from './waiting-count.ts';
import { waitingRows } from './waiting-rows.ts';

/** How many lines of its timeline are told of a subject. */
const LINES = 60;

/** Where subjects stand. What is decided from their events is written in one transaction that makes these events observed. */
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
        // Not "id" alone, which is what the event's id is called here.
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
      const { observed, ...recorded } = await durably(async (transaction) => {
        if (isPostgres<Database>(transaction)) await lock(transaction, subject);
        const events = await observeRows(transaction, eventIds, now());
        const decision = await decide({
          saved: await findSaved(transaction, subject),
          events,
          resources: createResources({ db: transaction, now }),
          bodyOf: (eventId) => findBody(transaction, eventId),
        });
        await writeSubject(transaction, subject, decision, now());
        if (decision.announcements.length > 0) await writeAnnouncements(transaction, subject, decision, now());
        return { decision, observed: events.length, waiting: await settle(transaction, subject, now()) };
      });
      waiting.change(-observed);
      return recorded;
    },

    settle: (subject) => db.transaction().execute((transaction) => settle(transaction, subject, now())),

    async since(subject, revision) {
      const rows = await announcementsOf(db, subject)
        .select(['id', 'summary', 'sent_at', 'dead_lettered_at'])
        .where('revision', '>', revision)
        .orderBy('revision', 'desc')
        .limit(LINES)
        .execute();
      return rows.map(({ summary }) => summary).reverse();
    },

    async unsent(subject) {
      const rows = await announcementsOf(db, subject)
        .select('id')
        .where('sent_at', 'is', null)
        .where('dead_lettered_at', 'is', null)
        .orderBy('revision')
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}

const of = ({ tenant, kind, id }: SubjectRef) => ({ tenant, kind, subject_id: id });

/** Nobody else records the subject before the end of the transaction. */
async function lock(transaction: Transaction<Database>, subject: SubjectRef): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${subjectKey(subject)}, 0))`.execute(transaction);
}

/** Makes those of the events observed that are not; their order is that of the inbox. */
async function observeRows(
  transaction: Transaction<Database>,
  eventIds: readonly string[],
  now: number,
): Promise<readonly WaitingEvent[]> {
  if (eventIds.length === 0) return [];
  const rows = await transaction
    .updateTable('inbox')
    .set({ observed_at: now })
    .where('event_id', 'in', eventIds)
    .where('observed_at', 'is', null)
    .where('quarantine_reason', 'is', null)
    .returning(['id', 'event_id', 'event'])
    .$narrowType<{ event: string }>()
    .execute();
  return rows.sort((a, b) => a.id - b.id).map(({ event_id, event }) => ({ id: event_id, json: event }));
}

/**
 * Forgets that the subject's workflow was woken, unless more waits for it; returns the names of that. What comes to wait
 * afterwards is found by a dispatcher, which then wakes the workflow again.
 */
async function settle(
  transaction: Transaction<Database>,
  subject: SubjectRef,
  now: number,
): Promise<readonly string[]> {
  const key = subjectKey(subject);
  await transaction.deleteFrom('dispatches').where('subject_key', '=', key).execute();
  const names = await namesWaiting(transaction, key);
  if (names.length === 0) return names;
  const row = { subject_key: key, dispatched_at: now };
  await transaction
    .insertInto('dispatches')
    .values(row)
    .onConflict((conflict) => conflict.column('subject_key').doUpdateSet(row))
    .execute();
  return names;
}

async function findSaved(db: Kysely<Database>, subject: SubjectRef): Promise<SavedSubject | undefined> {
  const { tenant, kind, subject_id } = of(subject);
  const row = await db
    .selectFrom('subjects')
    .select(['lifecycle', 'stage_since', 'refused', 'unannounced'])
    .where('tenant', '=', tenant)
    .where('kind', '=', kind)
    .where('subject_id', '=', subject_id)
    // While it is recorded nobody else changes its marks, which are written with the rest.
    .$if(isPostgres(db) && db.isTransaction, (query) => query.forUpdate())
    .executeTakeFirst();
  return (
    row && {
      lifecycle: JSON.parse(row.lifecycle),
      stageSince: row.stage_since,
      refused: row.refused === null ? [] : JSON.parse(row.refused),
      isUnannounced: row.unannounced === 1,
    }
  );
}

const announcementsOf = (db: Kysely<Database>, { tenant, kind, id }: SubjectRef) =>
  db.selectFrom('announcements').where('tenant', '=', tenant).where('kind', '=', kind).where('subject_id', '=', id);

async function writeSubject(
  transaction: Transaction<Database>,
  subject: SubjectRef,
  { saved, retrieved }: Decision,
  now: number,
): Promise<void> {
  const { lifecycle, stageSince, refused } = saved;
  const { snapshot } = lifecycle;
  const attention = attentionOf(saved);
  const row = {
    stage: stageOf(lifecycle),
    stage_since: stageSince,
    revision: lifecycle.revision,
    lifecycle: JSON.stringify(lifecycle),
    reference_number: snapshot?.referenceNumber ?? null,
    customer_id: snapshot?.customerId ?? null,
    facility_id: snapshot?.facilityId ?? null,
    last_event_at: lifecycle.lastEventTime,
    updated_at: now,
    stalled: attention.includes('stalled') ? 1 : 0,
    unannounced: attention.includes('unannounced') ? 1 : 0,
    refused: attention.includes('refused') ? JSON.stringify(refused) : null,
    ...(retrieved && { retrieving: null }),
  };
  await transaction
    .insertInto('subjects')
    .values({ ...of(subject), ...row })
    .onConflict((conflict) => conflict.columns(['tenant', 'kind', 'subject_id']).doUpdateSet(row))
    .execute();
}

async function writeAnnouncements(
  transaction: Transaction<Database>,
  subject: SubjectRef,
  { announcements, leaseMs }: Decision,
  now: number,
): Promise<void> {
  const leased_until = leaseMs === undefined ? null : now + leaseMs;
  const row = ({ id, revision, summary, body }: Announcement & { readonly summary: string }) => ({
    ...{
      id,
      ...of(subject),
      revision,
      summary,
      body: Buffer.from(body),
      created_at: now,
      tried_since: now,
      leased_until,
    },
  });
  await transaction.insertInto('announcements').values(announcements.map(row)).execute();
}
