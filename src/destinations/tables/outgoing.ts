import { type Kysely, sql, type Transaction } from 'kysely';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import type { Decision } from '../../domain/decision.ts';
import { byDestination, type Lease, type Outgoing, type OutgoingIds } from '../../domain/outgoing.ts';
import type { Clock } from '../../store/engines/dialect.ts';
import { isOfPaused, isOpenOfSubject, isUnsentOfSubject } from '../../store/outbox-conditions.ts';
import { rowsOf } from '../../store/rows.ts';
import { type Database, subjectColumns } from '../../store/schema.ts';

export async function hasDeadLetters(db: Kysely<Database>, subject: SubjectRef): Promise<boolean> {
  const deadLetter = await rowsOf(db, 'outbox', subjectColumns(subject))
    .select('announcement')
    .where(isOpenOfSubject)
    .where('dead_lettered_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return deadLetter !== undefined;
}

export const quietUntil = sql<number | null>`(select quiet_until from destinations
  where destinations.tenant = outbox.tenant and destinations.id = outbox.destination)`;

/** Last announced, by destination's identity. */
export type AnnouncedTo = Readonly<Record<string, number>>;

interface Routed extends Outgoing {
  readonly revision: number;
  readonly previous: number | null;
  /** Of an earlier announcement; undefined for a new one. */
  readonly madeAt: number | undefined;
}

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

interface NewLease extends Pick<Decision, 'leaseMsOf'> {
  readonly now: number;
  readonly clock: Clock;
  readonly holder: string;
}

/** Returns the leases, for those with a length. */
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
      // What a destination has asked for concerns all processes, so that it is read here.
      leased_until:
        leaseMs === undefined
          ? null
          : sql<number>`case when exists (select 1 from destinations where tenant = ${subject.tenant} and id = ${destination}
              and quiet_until is not null) then null else ${begin} + ${leaseMs} end`,
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

/** To be sent now, in order. */
export async function unsentOf(db: Kysely<Database>, subject: SubjectRef): Promise<OutgoingIds> {
  const rows = await rowsOf(db, 'outbox', subjectColumns(subject))
    .select(['announcement as id', 'destination'])
    .where(isUnsentOfSubject)
    .where(({ not }) => not(isOfPaused))
    .orderBy('revision')
    .execute();
  return byDestination(rows);
}
