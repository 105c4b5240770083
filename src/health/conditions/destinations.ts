import { type Kysely, sql } from 'kysely';
import { announcementAddress, destinationAddress } from '../../admin/board/addresses.ts';
import { capitalized } from '../../base/text.ts';
import { countOutgoing } from '../../destinations/tables/counts.ts';
import { destinationState } from '../../destinations/tables/destinations.ts';
import { recordName, type SubjectRef } from '../../domain/catalogue/subject.ts';
import { countThings } from '../../domain/health/incident.ts';
import { type DestinationRef, destinationName, type IdentityRef } from '../../domain/routing.ts';
import { countMatching } from '../../store/bounded-count.ts';
import { shownName } from '../../store/outbox-conditions.ts';
import { rowsOf } from '../../store/rows.ts';
import { type Database, subjectIn } from '../../store/schema.ts';
import { HOLD_MS, isHeld, type Searches, sumUp } from '../sources.ts';

const READ = 500;

/** So many rejected announcements count as some: whatever the reason, and for one that is more likely the destination's. */
const SOME = 5;
const FEW = 2;

/** More likely the destination's trouble than an announcement's. */
const isOfReceiver = ({ status }: Pick<Rejected, 'status'>): boolean => status === null || status >= 500;

/** Though its destination accepts others. */
interface Rejected {
  readonly destination: DestinationRef & IdentityRef;
  readonly id: string;
  readonly subject: SubjectRef;
  readonly status: number | null;
  readonly error: string | null;
  readonly since: number;
}

interface RejectedByOne {
  /** Oldest, at most `SOME`. */
  readonly first: readonly Rejected[];
  /** Of the first `READ`, by last answer; empty if each is rejected by itself. */
  readonly answers: readonly { readonly status: number | null; readonly count: number }[];
}

/** Of destinations that are neither failing nor paused. */
async function readRejected(reads: Kysely<Database>, now: number): Promise<readonly RejectedByOne[]> {
  const tried = (await triedDestinations(reads)).filter(({ failing_since }) => !isHeld(failing_since, now));
  return await Array.fromAsync(tried, async ({ tenant, id: destination, name }) => {
    const rejected = reads
      .selectFrom(
        rowsOf(reads, 'outbox', { tenant, destination, sent_at: null, dead_lettered_at: null })
          .selectAll()
          .where('attempts', '>', 0)
          .where('created_at', '<=', now - HOLD_MS)
          .orderBy('created_at')
          .limit(READ)
          .as('oldest'),
      )
      .where(isRejected)
      .orderBy('created_at');
    const rows = await rejected
      .select(['announcement', 'tenant', 'kind', 'subject_id', 'last_status', 'last_error', 'created_at'])
      .limit(SOME)
      .execute();
    const first = rows.map((row) => ({
      ...{ destination: { tenant, id: destination, name }, id: row.announcement, subject: subjectIn(row) },
      ...{ status: row.last_status, error: row.last_error, since: row.created_at },
    }));
    if (first.length < SOME && first.filter(isOfReceiver).length < FEW) return { first, answers: [] };
    const answers = await reads
      .selectFrom(rejected.select('last_status').limit(READ).as('counted'))
      .select(({ fn }) => ['last_status as status', fn.countAll<number>().as('count')])
      .groupBy('last_status')
      .execute();
    return { first, answers: answers.map((it) => ({ ...it, count: Number(it.count) })) };
  });
}

/** Also again after something else was accepted. What failed in an outage, and was not tried since, only waits. */
const isRejected = sql<boolean>`exists (select 1 from ${sql.table('attempts')} as last
  where last.announcement = oldest.announcement and last.destination = oldest.destination and last.number = oldest.attempts
    and (last.outcome = 'refused' or exists (select 1 from ${sql.table('attempts')} as accepted
      where accepted.tenant = oldest.tenant and accepted.destination = oldest.destination and accepted.outcome = 'delivered'
        and accepted.at < last.at and accepted.at > (select min(first.at) from ${sql.table('attempts')} as first
          where first.announcement = oldest.announcement and first.destination = oldest.destination))))`;

const PLACES = 200;

const triedDestinations = (reads: Kysely<Database>) =>
  rowsOf(reads, 'destinations', { paused_at: null })
    .select(['tenant', 'id', shownName.as('name'), 'failing_since'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('outbox')
          .select('outbox.destination')
          .whereRef('outbox.tenant', '=', 'destinations.tenant')
          .whereRef('outbox.destination', '=', 'destinations.id')
          .where('sent_at', 'is', null)
          .where('dead_lettered_at', 'is', null)
          .where('attempts', '>', 0),
      ),
    )
    .orderBy('tenant')
    .orderBy('id')
    .limit(PLACES)
    .execute();

type Place = DestinationRef & IdentityRef;

const unit = 'announcement' as const;

function placed({ tenant, id, name }: Place, action: 'Send now' | 'Resume') {
  const path = destinationAddress({ tenant, name });
  return {
    ...{ place: `${tenant}/${id}`, destination: { tenant, id, name }, path, unit },
    // The call of a page of the board has the same path.
    action: { name: action, path: `${path.replace('/board', '')}/${action.toLowerCase().replace(' ', '-')}` },
  } as const;
}

async function lastAnswer(reads: Kysely<Database>, { tenant, id: destination }: IdentityRef): Promise<string> {
  const attempt = await rowsOf(reads, 'attempts', { tenant, destination, outcome: 'failed' })
    .select('status')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return answerOf(attempt ?? { status: null });
}

const answerOf = ({ status }: Pick<Rejected, 'status'>): string => (status === null ? 'no answer' : String(status));

async function countWaiting(reads: Kysely<Database>, { tenant, id: destination }: IdentityRef) {
  const waiting = rowsOf(reads, 'outbox', { tenant, destination, sent_at: null, dead_lettered_at: null });
  const first = waiting.select('announcement').orderBy('created_at').limit(READ).as('first');
  const rows = await reads
    .selectFrom(first)
    .innerJoin('announcements', 'announcements.id', 'first.announcement')
    .select(({ fn }) => ['customer_id as id', fn.countAll<number>().as('count')])
    .groupBy('customer_id')
    .orderBy('customer_id')
    .execute();
  const ofTenant = rows.map((row) => ({ ...row, tenant }));
  const held = await sumUp(reads, ofTenant);
  return { ...(await countMatching(reads, waiting)), customers: held.get(tenant)?.customers ?? [] };
}

async function reasonOfOldest(reads: Kysely<Database>): Promise<string | null> {
  const oldest = await rowsOf(reads, 'outbox', { sent_at: null })
    .select('dead_letter_reason as reason')
    .where('dead_lettered_at', 'is not', null)
    .orderBy('dead_lettered_at')
    .limit(1)
    .executeTakeFirst();
  return oldest?.reason ?? null;
}

export const ofDestinations = {
  async 'destination-failing'({ reads, once, now }) {
    const failing = (await once(destinationState)).filter(({ failing_since: since }) => isHeld(since, now));
    return await Array.fromAsync(failing, async (row) => {
      const { failing_since: since, last_error: because, paused_because: pause } = row;
      const sort = await lastAnswer(reads, row);
      return {
        ...placed(row, 'Send now'),
        ...(await countWaiting(reads, row)),
        ...{ sort, since, because },
        title: `${capitalized(destinationName(row))}: ${sort} to all announcements`,
        // What a person paused is no incident, and yet does not accept again.
        ...(pause === null
          ? { ended: `${destinationName(row)} accepts announcements again` }
          : { isOver: true, ended: `nothing more is sent to ${destinationName(row)}: ${pause}` }),
      };
    });
  },

  async 'destination-stopped'({ reads, once }) {
    const stopped = (await once(destinationState)).filter(({ state }) => state === 'stopped');
    return await Array.fromAsync(stopped, async (row) => ({
      ...placed(row, 'Resume'),
      ...(await countWaiting(reads, row)),
      ...{ since: row.paused_at, because: row.paused_because },
      title: `Dockline has stopped sending to ${destinationName(row)}`,
      ended: `Dockline sends to ${destinationName(row)} again`,
    }));
  },

  async 'destination-partly-failing'({ once }) {
    return (await once(readRejected)).flatMap(({ first: [oldest], answers }) => {
      if (!oldest || answers.length === 0) return [];
      const { destination, since, error: because } = oldest;
      const sort = answers.map(answerOf).sort().join(', ');
      const count = answers.reduce((sum, it) => sum + it.count, 0);
      return {
        ...placed(destination, 'Send now'),
        ...{ sort, count, isMore: count >= READ, since, because },
        title: `${capitalized(destinationName(destination))}: ${sort} to some announcements`,
        ended: `${destinationName(destination)} accepts these announcements`,
      };
    });
  },

  async 'announcement-failing'({ once }) {
    const rejected = (await once(readRejected)).flatMap(({ first, answers }) => (answers.length === 0 ? first : []));
    return rejected.map(({ destination, id: announcement, subject, since, error: because, status }) => {
      const what = `an announcement of ${recordName(subject)}`;
      const sort = answerOf({ status });
      return {
        ...placed(destination, 'Send now'),
        place: `${announcement}@${destination.id}`,
        ...{ sort, count: 1, since, because },
        title: `${capitalized(destinationName(destination))} rejects ${what} (${sort})`,
        ended: `${destinationName(destination)} has accepted ${what}`,
        path: announcementAddress(announcement),
      };
    });
  },

  async 'dead-letters'({ reads, once }) {
    const { count, isMore, since } = (await once(countOutgoing)).deadLetters;
    if (count === 0) return [];
    return [
      {
        title: `${countThings({ count, isMore, unit })} ${count === 1 ? 'was' : 'were'} given up`,
        ended: 'no announcement that was given up is left',
        ...{ count, isMore, unit, since },
        because: await reasonOfOldest(reads),
        path: '/board/dead-letters',
      },
    ];
  },
} satisfies Searches;
