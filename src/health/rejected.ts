import { type Kysely, sql } from 'kysely';
import { subjectKey } from '../domain/catalogue/subject.ts';
import { type Identity, nameIn } from '../domain/routing.ts';
import { type Database, subjectIn } from '../store/schema.ts';
import { destinationState } from '../store/tables/destinations.ts';
import { HOLD_MS } from './hold.ts';

/** Announcements of a destination that are read. */
export const READ = 500;

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

/** Reads the first announcements that each destination rejects which neither fails nor is paused. */
export async function readRejected(reads: Kysely<Database>, now: number): Promise<readonly (readonly Rejected[])[]> {
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
    const rows = await reads
      .selectFrom('outbox')
      .select(['announcement', 'tenant', 'kind', 'subject_id', 'last_status', 'last_error', 'created_at'])
      .where(({ and }) => and({ tenant, destination }))
      .where('sent_at', 'is', null)
      .where('dead_lettered_at', 'is', null)
      .where('attempts', '>', 0)
      .where('created_at', '<=', now - HOLD_MS)
      .orderBy('created_at')
      .limit(READ)
      .execute();
    return rows.map((row) => ({
      ...{ tenant, name, id: row.announcement, key: subjectKey(subjectIn(row)) },
      ...{ status: row.last_status, error: row.last_error, since: row.created_at },
    }));
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
