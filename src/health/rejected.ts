import { type Kysely, sql } from 'kysely';
import { destinationState } from '../destinations/tables/destinations.ts';
import { subjectKey } from '../domain/catalogue/subject.ts';
import { type Identity, nameIn } from '../domain/routing.ts';
import { type Database, subjectIn } from '../store/schema.ts';
import { HOLD_MS } from './hold.ts';

/** Announcements of a destination that are counted. */
export const READ = 500;

/** Number of announcements that a destination rejects while it accepts others, from which on it rejects some, instead of each by itself. */
const SOME = 5;

/** Announcement that was tried in vain, though its destination accepts others. */
export interface Rejected {
  readonly tenant: string;
  /** Name of the destination. */
  readonly name: string;
  readonly id: string;
  readonly key: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly since: number;
}

/** Announcements that a destination rejects while it accepts others. */
export interface RejectedByOne {
  /** The oldest, `SOME` at most. */
  readonly first: readonly Rejected[];
  /** Numbers of the first `READ` by their last answer; empty for fewer than `SOME`. */
  readonly answers: readonly { readonly status: number | null; readonly count: number }[];
}

/** Reads the rejected announcements of each destination that is neither failing nor paused. */
export async function readRejected(reads: Kysely<Database>, now: number): Promise<readonly RejectedByOne[]> {
  const states = await destinationState(reads);
  const stateOf = ({ tenant, destination }: Tried) =>
    states.find((it) => it.tenant === tenant && it.id === destination);
  const well = (tried: Tried) => {
    const state = stateOf(tried);
    return (state?.paused_at ?? state?.failing_since ?? null) === null;
  };
  return await Array.fromAsync((await triedDestinations(reads)).filter(well), async (tried) => {
    const { tenant, destination } = tried;
    const name = stateOf(tried)?.name ?? nameIn(destination);
    const rejected = reads
      .selectFrom('outbox')
      .where(({ and }) => and({ tenant, destination }))
      .where('sent_at', 'is', null)
      .where('dead_lettered_at', 'is', null)
      .where('attempts', '>', 0)
      .where('created_at', '<=', now - HOLD_MS)
      .orderBy('created_at');
    const rows = await rejected
      .select(['announcement', 'tenant', 'kind', 'subject_id', 'last_status', 'last_error', 'created_at'])
      .limit(SOME)
      .execute();
    const first = rows.map((row) => ({
      ...{ tenant, name, id: row.announcement, key: subjectKey(subjectIn(row)) },
      ...{ status: row.last_status, error: row.last_error, since: row.created_at },
    }));
    if (first.length < SOME) return { first, answers: [] };
    const answers = await reads
      .selectFrom(rejected.select('last_status').limit(READ).as('counted'))
      .select(({ fn }) => ['last_status as status', fn.countAll<number>().as('count')])
      .groupBy('last_status')
      .execute();
    return { first, answers: answers.map((it) => ({ ...it, count: Number(it.count) })) };
  });
}

/** Destinations that are looked at. */
const PLACES = 200;

/** Destination for which something was tried in vain. */
interface Tried {
  readonly tenant: string;
  readonly destination: Identity;
}

/** Finds the destinations for which something was tried in vain, by stepping from one to the next in the index. */
async function triedDestinations(reads: Kysely<Database>) {
  const found: Tried[] = [];
  for (
    let next = await after(['', '']);
    next && found.length < PLACES;
    next = await after([next.tenant, next.destination])
  )
    found.push(next);
  return found;

  function after([tenant, destination]: readonly [string, string]) {
    return reads
      .selectFrom('outbox')
      .select(['tenant', 'destination'])
      .where('sent_at', 'is', null)
      .where('dead_lettered_at', 'is', null)
      .where('attempts', '>', 0)
      .where(sql<boolean>`(tenant, destination) > (${tenant}, ${destination})`)
      .orderBy('tenant')
      .orderBy('destination')
      .limit(1)
      .executeTakeFirst();
  }
}
