import { type Insertable, type Kysely, sql, type Transaction } from 'kysely';
import {
  type AnnouncedTo,
  findNewest,
  findUnrouted,
  hasDeadLetters,
  insertAnnouncements,
  insertOutgoing,
  nameCustomer,
  routeAll,
  timelineSince,
  unsentOf,
} from '../../destinations/tables/announcements.ts';
import { storedDestinations } from '../../destinations/tables/destinations.ts';
import { takeExpedited } from '../../destinations/tables/redelivery.ts';
import { termsOf } from '../../domain/catalogue/record-facts.ts';
import { type SubjectRef, subjectKey } from '../../domain/catalogue/subject.ts';
import type { Decision, ReceivedEvent, StoredDestination, Unrouted, WaitingEvent } from '../../domain/decision.ts';
import { attentionOf, type SavedSubject } from '../../domain/lifecycle/attention.ts';
import { writeRetrievals } from '../../domain/lifecycle/gets.ts';
import { isOver, stageOf } from '../../domain/lifecycle/stage.ts';
import type { Lease, OutgoingIds } from '../../domain/outgoing.ts';
import { markRecorded } from '../../inbox/tables/due.ts';
import { findBody } from '../../inbox/tables/quarantined.ts';
import { isWaitingOfEvent, selectWaiting, type WaitingCount } from '../../inbox/tables/waiting.ts';
import type { Connections } from '../../store/engines/connections.ts';
import { isPostgres } from '../../store/engines/dialect.ts';
import { changeRows, prepared, putRows, rowsOf } from '../../store/rows.ts';
import { type Database, type SharedDeps, type StoreDeps, subjectColumns } from '../../store/schema.ts';
import { takenByNobody } from '../../store/subjects.ts';
import { deadlineColumns, deadlineIn, type KnownDeadline, toDeadlineColumns } from './deadlines.ts';
import { saveLeadTimes } from './lead-times.ts';
import { createResources, type Resources } from './resources.ts';
import { saveTerms } from './subject-search.ts';

interface SubjectDeps extends StoreDeps, SharedDeps, Pick<Connections, 'durably'> {
  readonly holder: string;
  readonly waiting: WaitingCount;
}

export interface Recording {
  readonly saved: SavedSubject | undefined;
  /** Not observed before, in order of the inbox. */
  readonly events: readonly WaitingEvent[];
  readonly resources: Resources;
  bodyOf(eventId: string): Promise<Uint8Array | undefined>;
  readonly destinations: readonly StoredDestination[];
  /** To send now, in order; empty where no destination was ever paused. */
  readonly earlier: OutgoingIds;
  /** About the whole subject, if it was for that customer. */
  newestFor(customerId: string): Promise<string | undefined>;
  /** From before the customer was known, oldest first. */
  unrouted(): Promise<readonly Unrouted[]>;
  hasDeadLetters(): Promise<boolean>;
}

/** Decides once: a recorded event is never computed again. */
export type Subjects = ReturnType<typeof createSubjects>;

export function createSubjects({ db, durably, now, clock, holder, waiting }: SubjectDeps) {
  return {
    async load(
      subject: SubjectRef,
      limit: number,
    ): Promise<{ readonly saved: SavedSubject | undefined; readonly events: readonly ReceivedEvent[] }> {
      const rows = await selectWaiting(db, { subjectKey: subjectKey(subject), limit });
      return { saved: await findSaved(db, subject), events: rows as readonly ReceivedEvent[] };
    },

    /** In one transaction that locks the subject. `waiting` names events that still wait, `leases` are of its announcements. */
    async record<T extends Decision>(
      subject: SubjectRef,
      eventIds: readonly string[],
      decide: (recording: Recording) => Promise<T>,
    ): Promise<{
      readonly decision: T;
      readonly leases: readonly Lease[];
      readonly waiting: readonly string[];
      readonly receivedAt: readonly number[];
    }> {
      const recorded = await durably(async (transaction) => {
        await lockSubject(transaction, subject);
        const { events, receivedAt } = await observeRows(transaction, eventIds, now());
        const [row] = await selectSaved(transaction, subjectColumns(subject));
        const saved = row && toSaved(row);
        const destinations = await storedDestinations(transaction, subject.tenant);
        const decision = await decide({
          saved,
          events,
          resources: createResources({ db: transaction, now }),
          bodyOf: (eventId) => findBody(transaction, eventId),
          destinations,
          // The workflow knows all but what waited for a paused destination.
          earlier: destinations.some(({ wasPaused }) => wasPaused) ? await unsentOf(transaction, subject) : {},
          newestFor: (customerId) => findNewest(transaction, subject, customerId),
          unrouted: () => findUnrouted(transaction, subject),
          hasDeadLetters: () => hasDeadLetters(transaction, subject),
        });
        const at = now();
        const outgoing = routeAll(decision, row ? JSON.parse(row.announced_to) : {});
        const beside = { announcedTo: outgoing.announcedTo, retrievals: row?.retrievals ?? null };
        await saveSubject(transaction, subject, { ...decision, ...beside }, at);
        await saveTerms(transaction, subject, {
          before: saved ? termsIn(subject, saved) : [],
          after: termsIn(subject, decision.saved),
        });
        await saveLeadTimes(transaction, subject, { before: saved, after: decision.saved });
        await insertAnnouncements(transaction, subject, decision, at);
        await nameCustomer(transaction, subject, decision);
        await nameCustomersOfEvents(transaction, decision.customersOfEvents);
        const lease = { now: at, clock, holder, leaseMsOf: decision.leaseMsOf };
        const leases = await insertOutgoing(transaction, subject, outgoing.routed, lease);
        const names = await markRecorded(transaction, subjectKey(subject), clock);
        return { decision, leases, receivedAt, waiting: names };
      });
      waiting.change(-recorded.receivedAt.length);
      return recorded;
    },

    /** Of its deadline; reports whether that gave one. */
    recompute: (
      subject: SubjectRef,
      compute: (saved: SavedSubject, resources: Resources) => Promise<KnownDeadline | undefined>,
    ): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        await lockSubject(transaction, subject);
        const saved = await findSaved(transaction, subject);
        const found = saved && (await compute(saved, createResources({ db: transaction, now })));
        const changed = changeRows(transaction, 'subjects', subjectColumns(subject));
        if (found) await changed.set(toDeadlineColumns(found)).execute();
        return found !== undefined;
      }),

    /** Unless events wait; returns their names. */
    settle: (subject: SubjectRef): Promise<readonly string[]> =>
      db.transaction().execute((transaction) => markRecorded(transaction, subjectKey(subject), clock)),
    /** Oldest first. */
    since: (subject: SubjectRef, revision: number): Promise<readonly string[]> => timelineSince(db, subject, revision),
    unsent: (subject: SubjectRef): Promise<OutgoingIds> => unsentOf(db, subject),
    /** Each once: somebody has ended their waits. */
    takeExpedited: (subject: SubjectRef): Promise<readonly string[]> => takeExpedited(db, subject),
  };
}

export const termsIn = (subject: SubjectRef, { facts = {}, lifecycle }: SavedSubject): readonly string[] =>
  termsOf(subject, facts, lifecycle.snapshot?.referenceNumber);

/** Until the transaction ends. SQLite has no other processes. */
export async function lockSubject(transaction: Transaction<Database>, subject: SubjectRef): Promise<void> {
  if (!isPostgres(transaction)) return;
  await sql`select pg_advisory_xact_lock(hashtextextended(${subjectKey(subject)}, 0))`.execute(transaction);
}

async function observeRows(
  transaction: Transaction<Database>,
  eventIds: readonly string[],
  now: number,
): Promise<{ readonly events: readonly WaitingEvent[]; readonly receivedAt: readonly number[] }> {
  if (eventIds.length === 0) return { events: [], receivedAt: [] };
  const rows = await observe(transaction, { now, ...eventIds });
  const ordered = rows.toSorted((a, b) => a.id - b.id);
  return {
    events: ordered.map(({ event_id, event }) => ({ id: event_id, json: event })),
    receivedAt: ordered.map(({ received_at }) => received_at),
  };
}

const observe = prepared((db, { now, ...eventIds }: { readonly now: number } & Readonly<Record<number, string>>) =>
  changeRows(db, 'inbox', { event_id: Object.values(eventIds) })
    .set({ observed_at: now })
    .where(isWaitingOfEvent)
    .returning(['id', 'event_id', 'event', 'received_at'])
    .$narrowType<{ event: string }>(),
);

async function nameCustomersOfEvents(
  transaction: Transaction<Database>,
  customersOfEvents: Decision['customersOfEvents'] = new Map(),
): Promise<void> {
  const byCustomer = Map.groupBy(customersOfEvents, ([, customerId]) => customerId);
  for (const [customer_id, events] of byCustomer)
    await changeRows(transaction, 'inbox', { event_id: events.map(([id]) => id) })
      .set({ customer_id })
      .execute();
}

export async function findSaved(db: Kysely<Database>, subject: SubjectRef): Promise<SavedSubject | undefined> {
  const [row] = await selectSaved(db, subjectColumns(subject));
  return row && toSaved(row);
}

type SavedRow = Awaited<ReturnType<typeof selectSaved>>[number];

const toSaved = (row: SavedRow): SavedSubject => ({
  lifecycle: JSON.parse(row.lifecycle),
  stageSince: row.stage_since,
  refused: row.refused === null ? [] : JSON.parse(row.refused),
  isUnannounced: row.unannounced === 1,
  ...(row.cleared !== null && { cleared: JSON.parse(row.cleared) }),
  ...(row.look_again_at !== null && { lookAgainAt: row.look_again_at }),
  ...(row.customer_id !== null && { customerId: row.customer_id }),
  ...(row.facts !== null && { facts: JSON.parse(row.facts) }),
  ...deadlineIn(row),
});

const selectSaved = prepared((db, subject: ReturnType<typeof subjectColumns>) =>
  rowsOf(db, 'subjects', subject)
    .select(['lifecycle', 'stage_since', 'refused', 'unannounced', 'cleared', 'look_again_at', 'customer_id', 'facts'])
    .select(['announced_to', 'retrievals', ...deadlineColumns])
    // Its attention flags, which others write too, are saved with the rest.
    .$if(isPostgres(db) && db.isTransaction, (query) => query.forUpdate()),
);

/** A complete retrieval ends the note of a failing one. A subject that is over and needs no attention belongs to nobody. */
async function saveSubject(
  transaction: Transaction<Database>,
  subject: SubjectRef,
  {
    saved,
    retrieved,
    retrieval,
    announcedTo,
    retrievals,
  }: Decision & { readonly announcedTo: AnnouncedTo; readonly retrievals: string | null },
  now: number,
): Promise<void> {
  const { lifecycle, stageSince, refused, cleared, lookAgainAt, customerId = null, facts = {} } = saved;
  const { snapshot } = lifecycle;
  const attention = attentionOf(subject.kind, saved);
  const row = {
    stage: stageOf(lifecycle),
    stage_since: stageSince,
    revision: lifecycle.revision,
    lifecycle: JSON.stringify(lifecycle),
    reference_number: snapshot?.referenceNumber ?? null,
    customer_id: customerId,
    facility_id: snapshot?.facilityId ?? null,
    last_event_at: lifecycle.lastEventTime,
    updated_at: now,
    stalled: attention.includes('stalled') ? 1 : 0,
    unannounced: attention.includes('unannounced') ? 1 : 0,
    refused: attention.includes('refused') ? JSON.stringify(refused) : null,
    cleared: cleared ? JSON.stringify(cleared) : null,
    look_again_at: lookAgainAt ?? null,
    announced_to: JSON.stringify(announcedTo),
    retrievals: retrieval ? writeRetrievals(retrievals, retrieval) : retrievals,
    carrier: facts.carrier ?? null,
    facts: Object.keys(facts).length > 0 ? JSON.stringify(facts) : null,
    ...toDeadlineColumns(saved),
    ...(retrieved && { retrieving: null, retrieving_at: null }),
    ...(isOver(subject.kind, lifecycle) && attention.length === 0 && takenByNobody),
  };
  await insertOrUpdate(transaction, { ...subjectColumns(subject), created_at: now, ...row });
}

const insertOrUpdate = prepared((db, row: Insertable<Database['subjects']>) => {
  const { created_at: _, ...changed } = row;
  return putRows(db, 'subjects', row, changed);
});
