import { type ExpressionBuilder, type Kysely, sql, type Transaction } from 'kysely';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import type { Decision } from '../../domain/decision.ts';
import { byDestination, type Lease, type Outgoing, type OutgoingIds } from '../../domain/outgoing.ts';
import type { Clock } from '../../store/engines/clock.ts';
import { type Database, subjectColumns } from '../../store/schema.ts';

/** Condition of announcements that were not acknowledged, as no index has it, for those that are known by their ids: {@link isWaiting} says why. */
export const isOpen = sql<boolean>`+sent_at is null`;

/** The same condition as the index by subject has it. */
export const isOpenOfSubject = sql<boolean>`coalesce(sent_at, -1) = -1`;

/** Condition of announcements, known by their ids, that a destination is still to get. */
export const isUnsent = ({ and, eb }: ExpressionBuilder<Database, 'outbox'>) =>
  and([isOpen, eb('dead_lettered_at', 'is', null)]);

/** Condition of announcements, known by their subject, that a destination is still to get. */
export const isUnsentOfSubject = ({ and, eb }: ExpressionBuilder<Database, 'outbox'>) =>
  and([isOpenOfSubject, eb('dead_lettered_at', 'is', null)]);

/** Condition of announcements, known by their ids, that were dead-lettered and not acknowledged since. */
export const isDeadLettered = ({ and, eb }: ExpressionBuilder<Database, 'outbox'>) =>
  and([isOpen, eb('dead_lettered_at', 'is not', null)]);

/** Reports whether any announcement of a subject is a dead letter. */
export async function hasDeadLetters(db: Kysely<Database>, subject: SubjectRef): Promise<boolean> {
  const deadLetter = await db
    .selectFrom('outbox')
    .select('announcement')
    .where(({ and }) => and(subjectColumns(subject)))
    .where(isOpenOfSubject)
    .where('dead_lettered_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return deadLetter !== undefined;
}

/** Condition of what is not to be sent for now, since its destination is paused. */
export const isHeld = sql<boolean>`exists (select 1 from destinations
  where destinations.tenant = outbox.tenant and destinations.id = outbox.destination and paused_at is not null)`;

/** Revisions that were last announced, by the identities of destinations. */
export type AnnouncedTo = Readonly<Record<string, number>>;

/** Announcement for one destination, with the revision that this one gets before it. */
interface Routed extends Outgoing {
  readonly revision: number;
  readonly previous: number | null;
  /** Time at which an earlier announcement was made, in milliseconds since the epoch; undefined for a new one. */
  readonly madeAt: number | undefined;
}

/** Puts announcements in an order of their own for each destination, behind those that it was announced before. */
export function routeAll(
  { late = [], announcements }: Pick<Decision, 'late' | 'announcements'>,
  announcedTo: AnnouncedTo,
): { readonly routed: readonly Routed[]; readonly announcedTo: AnnouncedTo } {
  const last = new Map(Object.entries(announcedTo));
  const routed = [...late, ...announcements].flatMap((announcement) =>
    announcement.destinations.map((destination) => {
      const { id, revision } = announcement;
      const previous = last.get(destination) ?? null;
      last.set(destination, revision);
      return {
        id,
        destination,
        revision,
        previous,
        madeAt: 'madeAt' in announcement ? announcement.madeAt : undefined,
      };
    }),
  );
  return { routed, announcedTo: Object.fromEntries(last) };
}

/** Time and holder of leases of announcements that are inserted. */
interface NewLease extends Pick<Decision, 'leaseMsOf'> {
  readonly now: number;
  readonly clock: Clock;
  readonly holder: string;
}

/** Inserts what destinations are to get, leased to the holder where there is a length; returns these leases. */
export async function insertOutgoing(
  transaction: Transaction<Database>,
  subject: SubjectRef,
  routed: readonly Routed[],
  { now, clock, holder, leaseMsOf }: NewLease,
): Promise<readonly Lease[]> {
  if (routed.length === 0) return [];
  const begin = sql<number>`(select at from clock)`;
  const rows = routed.map(({ id, destination, revision, previous, madeAt }) => {
    const leaseMs = madeAt === undefined ? leaseMsOf?.(destination) : undefined;
    return {
      announcement: id,
      destination,
      ...subjectColumns(subject),
      revision,
      previous,
      created_at: madeAt ?? now,
      tried_since: now,
      leased_by: leaseMs === undefined ? null : holder,
      leased_at: leaseMs === undefined ? null : begin,
      leased_until: leaseMs === undefined ? null : sql<number>`${begin} + ${leaseMs}`,
    };
  });
  const inserted = await transaction
    // Once for all rows, so that they have one lease.
    .with('clock', (query) => query.selectNoFrom(clock().as('at')))
    .insertInto('outbox')
    .values(rows)
    .returning(['announcement as id', 'destination', 'previous', 'leased_until as leasedUntil'])
    .execute();
  return inserted.filter(({ leasedUntil }) => leasedUntil !== null).map((lease) => ({ ...lease, isReplay: false }));
}

/** Returns the ids of a subject's announcements that are to be sent now, in order, by destination. */
export async function unsentOf(db: Kysely<Database>, subject: SubjectRef): Promise<OutgoingIds> {
  const rows = await db
    .selectFrom('outbox')
    .select(['announcement as id', 'destination'])
    .where(({ and }) => and(subjectColumns(subject)))
    .where(isUnsentOfSubject)
    .where(({ not }) => not(isHeld))
    .orderBy('revision')
    .execute();
  return byDestination(rows);
}
