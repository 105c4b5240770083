import { type Kysely, sql, type Transaction } from 'kysely';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import type { Decision, Unrouted } from '../../domain/decision.ts';
import { byDestination, type Lease, type Outgoing, type OutgoingIds } from '../../domain/outgoing.ts';
import type { Clock } from '../../store/engines/dialect.ts';
import { isOfPaused, isOpenOfSubject, isUnsentOfSubject } from '../../store/outbox-conditions.ts';
import { changeRows, rowsOf } from '../../store/rows.ts';
import { type Database, subjectColumns } from '../../store/schema.ts';

export async function insertAnnouncements(
  transaction: Transaction<Database>,
  subject: SubjectRef,
  { announcements }: Pick<Decision, 'announcements'>,
  now: number,
): Promise<void> {
  if (announcements.length === 0) return;
  const rows = announcements.map(({ id, revision, summary, body, customerId }) => ({
    id,
    ...subjectColumns(subject),
    revision,
    summary,
    created_at: now,
    customer_id: customerId,
    bytes: Buffer.byteLength(body),
    body: Buffer.from(body),
  }));
  await transaction.insertInto('announcements').values(rows).execute();
}

/** Recorded before the customer was known and still to be sent, oldest first. */
export async function findUnrouted(db: Kysely<Database>, subject: SubjectRef): Promise<readonly Unrouted[]> {
  const rows = await unrouted(db, subject)
    .select(['id', 'revision', 'created_at as madeAt', 'body'])
    .orderBy('revision')
    .execute();
  return rows.map(({ body, ...row }) => ({ ...row, body: Buffer.from(body).toString() }));
}

export async function findNewest(
  db: Kysely<Database>,
  subject: SubjectRef,
  customerId: string,
): Promise<string | undefined> {
  const row = await rowsOf(db, 'announcements', subjectColumns(subject))
    .select(['body', 'customer_id'])
    .where('id', 'not like', '%/item%')
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.customer_id === customerId ? Buffer.from(row.body).toString() : undefined;
}

export async function nameCustomer(
  transaction: Transaction<Database>,
  subject: SubjectRef,
  { routedNow = [], saved }: Pick<Decision, 'routedNow' | 'saved'>,
): Promise<void> {
  if (routedNow.length === 0) return;
  const ids = unrouted(transaction, subject).select('id');
  const known = transaction.updateTable('announcements').set({ customer_id: saved.customerId ?? null });
  await known.where('id', 'in', ids).execute();
  for (const { id, body } of routedNow) if (body !== undefined) await replaceBody(transaction, id, body).execute();
}

const replaceBody = (db: Kysely<Database>, id: string, body: string) =>
  changeRows(db, 'announcements', { id }).set({ body: Buffer.from(body), bytes: Buffer.byteLength(body) });

const unrouted = (db: Kysely<Database>, subject: SubjectRef) =>
  rowsOf(db, 'announcements', { ...subjectColumns(subject), customer_id: null }).where(hasBody);

export const hasBody = sql<boolean>`length(body) > 0`;

const LINES = 60;

export async function timelineSince(db: Kysely<Database>, subject: SubjectRef, revision: number): Promise<string[]> {
  const rows = await rowsOf(db, 'announcements', subjectColumns(subject))
    .select('summary')
    .where('revision', '>', revision)
    .orderBy('revision', 'desc')
    .limit(LINES)
    .execute();
  return rows.map(({ summary }) => summary).reverse();
}

export async function findRouted(reads: Kysely<Database>, id: string) {
  const row = await rowsOf(reads, 'announcements', { id })
    .select(['id', 'tenant', 'customer_id as customerId', 'body'])
    .executeTakeFirst();
  const rows = await rowsOf(reads, 'outbox', { announcement: id }).select('destination').execute();
  const identities = rows.map(({ destination }) => destination);
  return row && { ...row, body: Buffer.from(row.body).toString(), identities };
}

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
  { routedNow = [], announcements }: Pick<Decision, 'routedNow' | 'announcements'>,
  announcedTo: AnnouncedTo,
): { readonly routed: readonly Routed[]; readonly announcedTo: AnnouncedTo } {
  const last = new Map(Object.entries(announcedTo));
  const routed = [...routedNow, ...announcements].flatMap((announcement) =>
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

export async function unsentOf(db: Kysely<Database>, subject: SubjectRef): Promise<OutgoingIds> {
  const rows = await rowsOf(db, 'outbox', subjectColumns(subject))
    .select(['announcement as id', 'destination'])
    .where(isUnsentOfSubject)
    .where(({ not }) => not(isOfPaused))
    .orderBy('revision')
    .execute();
  return byDestination(rows);
}
