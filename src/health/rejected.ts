import { type Kysely, sql } from 'kysely';
import { subjectKey } from '../domain/catalogue/subject.ts';
import type { DestinationRef, IdentityRef } from '../domain/routing.ts';
import { shownName } from '../store/outbox-conditions.ts';
import { rowsOf } from '../store/rows.ts';
import { type Database, subjectIn } from '../store/schema.ts';
import { HOLD_MS, isHeld } from './sources.ts';

export const READ = 500;

/** So many rejected announcements count as some: whatever the reason, and for one that is more likely the destination's. */
const SOME = 5;
const FEW = 2;

/** More likely the destination's trouble than an announcement's. */
const isOfReceiver = ({ status }: Pick<Rejected, 'status'>): boolean => status === null || status >= 500;

/** Though its destination accepts others. */
export interface Rejected {
  readonly destination: DestinationRef & IdentityRef;
  readonly id: string;
  readonly key: string;
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
export async function readRejected(reads: Kysely<Database>, now: number): Promise<readonly RejectedByOne[]> {
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
      ...{ destination: { tenant, id: destination, name }, id: row.announcement, key: subjectKey(subjectIn(row)) },
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
