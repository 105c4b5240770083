import { type Kysely, sql, type Transaction } from 'kysely';
import { renameAlerts } from '../../alerts/tables/alerts.ts';
import { type SubjectRef, subjectKey } from '../../domain/catalogue/subject.ts';
import type { StoredDestination } from '../../domain/decision.ts';
import {
  type DestinationFilter,
  type DestinationRef,
  type Identity,
  type IdentityRef,
  isMarked,
} from '../../domain/routing.ts';
import { makeDue } from '../../inbox/tables/due.ts';
import { countMatching } from '../../store/bounded-count.ts';
import { prepared } from '../../store/engines/prepared.ts';
import { type Database, type Pauser, type SharedDeps, type StoreDeps, subjectIn } from '../../store/schema.ts';
import { identityOf, readIdentity, readName, toIdentity } from './identities.ts';
import { isUnsentOfSubject } from './outgoing.ts';
import { countUnwanted, findUnwanted, withdraw } from './withdrawals.ts';

/** Destination that was added while Dockline runs. */
interface ManagedDestination {
  readonly id: Identity;
  readonly name: string;
  /** Settings without secrets, as JSON. */
  readonly settings: string;
  readonly sealed: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
}

/** Part of a destination that is saved under its identity. */
type SavedDestination = Pick<ManagedDestination, 'id' | 'settings' | 'sealed'>;

/** Reads what is stored of a tenant's destinations. */
export async function storedDestinations(db: Kysely<Database>, tenant: string): Promise<readonly StoredDestination[]> {
  const rows = await selectStored(db, { tenant });
  return rows.map(({ id, name, settings, paused_at }) => ({
    id,
    name,
    filter: settings === null ? null : JSON.parse(settings),
    isPaused: paused_at !== null,
  }));
}

const selectStored = prepared((db, { tenant }: { readonly tenant: string }) =>
  db
    .selectFrom('destinations')
    .select(['id', 'name', 'settings', 'paused_at'])
    .where('tenant', '=', tenant)
    .orderBy('name'),
);

/** Reads the state of all destinations that the store knows. */
export const destinationState = (reads: Kysely<Database>) =>
  reads
    .selectFrom('destinations')
    .select(['tenant', 'id', 'name', 'settings', 'paused_at', 'paused_by', 'paused_because', 'failing_since'])
    .select('last_error')
    .execute();

/** Returns who has ended what is sent to a destination, by its state; null if something is sent. */
export const disablerOf = ({
  paused_at,
  paused_by,
}: Pick<Database['destinations'], 'paused_at' | 'paused_by'>): Pauser | null =>
  paused_at === null ? null : paused_by === 'dockline' ? 'dockline' : 'person';

/** Number of subjects that are woken at a time. */
const STEP = 500;

/** Destinations in the store. */
export type Destinations = ReturnType<typeof createDestinations>;

export function createDestinations({ db, now, clock }: StoreDeps & SharedDeps) {
  const update = ({ tenant, id }: IdentityRef) =>
    db.updateTable('destinations').where(({ and }) => and({ tenant, id }));

  /** Makes sure of the row of a destination that may be configured and not stored yet; one that was removed gets none. */
  async function ensure({ tenant, id }: IdentityRef): Promise<void> {
    if (isMarked(id)) return;
    await db
      .insertInto('destinations')
      .values({ tenant, id, name: id, updated_at: now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  const added = () =>
    db
      .selectFrom('destinations')
      .select(['id', 'name', 'settings', 'sealed', 'updated_at as updatedAt'])
      .where('settings', 'is not', null)
      .where('sealed', 'is not', null)
      .$narrowType<{ settings: string; sealed: Uint8Array }>();

  return {
    /** Finds a destination that was added; undefined if there is none. */
    find: ({ tenant, name }: DestinationRef): Promise<ManagedDestination | undefined> =>
      added()
        .where(({ and }) => and({ tenant, name }))
        .executeTakeFirst(),

    /** Finds a destination that was added likewise, whatever it is called now. */
    findBy: ({ tenant, id }: IdentityRef): Promise<ManagedDestination | undefined> =>
      added()
        .where(({ and }) => and({ tenant, id }))
        .executeTakeFirst(),

    /** Adds a destination, which is somebody new whoever had its name before; reports whether the name was free. */
    async add({ tenant, name }: DestinationRef, { id, settings, sealed }: SavedDestination): Promise<boolean> {
      return await db.transaction().execute(async (transaction) => {
        await forgetConfigured(transaction, { tenant, name });
        const row = await transaction
          .insertInto('destinations')
          .values({ tenant, id, name, settings, sealed: Buffer.from(sealed), updated_at: now() })
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst();
        return row !== undefined;
      });
    },

    /** Changes a destination that was added; reports whether there still is one. */
    async change(tenant: string, { id, settings, sealed }: SavedDestination): Promise<boolean> {
      const { numUpdatedRows } = await update({ tenant, id })
        .set({ settings, sealed: Buffer.from(sealed), updated_at: now() })
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Gives a destination that was added another name, under which it stays who it is; reports whether that was free. */
    async rename({ tenant, id }: IdentityRef, name: string): Promise<boolean> {
      try {
        return await db.transaction().execute(async (transaction) => {
          await forgetConfigured(transaction, { tenant, name });
          await renameAlerts(transaction, { tenant, name: await readName(transaction, { tenant, id }) }, name);
          const { numUpdatedRows } = await transaction
            .updateTable('destinations')
            .set({ name, updated_at: now() })
            .where(({ and }) => and({ tenant, id }))
            .executeTakeFirst();
          return numUpdatedRows > 0n;
        });
      } catch (error) {
        const holder = db.selectFrom('destinations').where(({ and }) => and({ tenant, name }));
        if (await holder.select('id').executeTakeFirst()) return false;
        throw error;
      }
    },

    /** Returns the name of a destination; the first one that it had, if it was removed or is configured. */
    nameOf: (destination: IdentityRef): Promise<string> => readName(db, destination),

    /** Returns the identity of a destination. */
    identityOf: (destination: DestinationRef): Promise<Identity> => readIdentity(db, destination),

    /** Returns the identity of a destination, with its tenant. */
    toIdentity: (destination: DestinationRef): Promise<IdentityRef> => toIdentity(db, destination),

    /** Counts what a destination is still to get, dead letters included, up to `COUNTED`. */
    async countUnsent(destination: DestinationRef): Promise<number> {
      const { tenant } = destination;
      const unsent = db
        .selectFrom('outbox')
        .where('tenant', '=', tenant)
        .where('destination', '=', identityOf(destination));
      return (await countMatching(db, unsent.where('sent_at', 'is', null))).count;
    },

    /** Counts what waits for a destination and a filter does not want, dead letters included, up to `COUNTED`. */
    async countUnwanted(destination: DestinationRef, filter: DestinationFilter): Promise<number> {
      return await countUnwanted(db, await toIdentity(db, destination), filter);
    },

    /** Takes out what waits for a destination and a filter does not want, dead letters included; returns its number. */
    async withdrawUnwanted(destination: DestinationRef, filter: DestinationFilter): Promise<number> {
      const identity = await toIdentity(db, destination);
      let count = 0;
      for await (const ids of findUnwanted(db, identity, filter)) {
        await db.transaction().execute((transaction) => withdraw(transaction, identity, ids));
        count += ids.length;
      }
      return count;
    },

    /** Removes a destination that was added, with what it was still to get. */
    async remove(destination: DestinationRef): Promise<void> {
      const { tenant, name } = destination;
      await db.transaction().execute(async (transaction) => {
        const id = await readIdentity(transaction, destination);
        const unsent = transaction
          .selectFrom('outbox')
          .select('announcement')
          .where(({ and }) => and({ tenant, destination: id }))
          .where('sent_at', 'is', null);
        await transaction
          .deleteFrom('attempts')
          .where('destination', '=', id)
          .where('announcement', 'in', unsent)
          .execute();
        await transaction
          .deleteFrom('outbox')
          .where(({ and }) => and({ tenant, destination: id }))
          .where('sent_at', 'is', null)
          .execute();
        await transaction
          .deleteFrom('destinations')
          .where(({ and }) => and({ tenant, name }))
          .execute();
      });
    },

    /** Stops sending to a destination, for a person or by itself. What is paused already keeps its reason. */
    async pause(destination: IdentityRef, because: string, by: Pauser = 'person'): Promise<void> {
      await ensure(destination);
      await update(destination)
        .set({ paused_at: now(), paused_by: by, paused_because: because, resumed_up_to: null })
        .where('paused_at', 'is', null)
        .execute();
    },

    /** Sends to a destination again: what has waited for it begins its time for retries anew. */
    async resume(destination: IdentityRef): Promise<void> {
      await update(destination)
        .set({ paused_at: null, paused_by: null, paused_because: null, failing_since: null, resumed_up_to: '' })
        .where('paused_at', 'is not', null)
        .execute();
    },

    /** Wakes some of the subjects of destinations that were resumed, or whose waits were ended; reports whether there may be more. */
    async wakeResumed(): Promise<boolean> {
      const resumed = await db
        .selectFrom('destinations')
        .select(['tenant', 'id', 'resumed_up_to'])
        .where('resumed_up_to', 'is not', null)
        .executeTakeFirst();
      if (!resumed) return false;
      const { tenant, id, resumed_up_to: upTo } = resumed;
      await db.transaction().execute(async (transaction) => {
        const subjects = await waitingFor(transaction, { tenant, id }, upTo ?? '');
        await restart(transaction, { tenant, id }, subjects, now());
        await makeDue(transaction, subjects.map(subjectKey).toSorted(), clock);
        await transaction
          .updateTable('destinations')
          .set({ resumed_up_to: subjects.length < STEP ? null : placeOf(subjects.at(-1)) })
          .where(({ and }) => and({ tenant, id, resumed_up_to: upTo }))
          .execute();
      });
      return true;
    },

    /** Notes that an attempt has failed; returns since when all have, in milliseconds since the epoch. */
    async failed(destination: IdentityRef, error: string): Promise<number> {
      await ensure(destination);
      const row = await update(destination)
        .set(({ fn, val }) => ({ failing_since: fn.coalesce('failing_since', val(now())), last_error: error }))
        .returning('failing_since as since')
        .executeTakeFirst();
      return row?.since ?? now();
    },

    /** Notes that an attempt has not failed. */
    async succeeded(destination: IdentityRef): Promise<void> {
      await update(destination).set({ failing_since: null }).where('failing_since', 'is not', null).execute();
    },
  };
}

/** Forgets the state of a configured destination that has had a name, for whoever is given it. */
const forgetConfigured = (transaction: Transaction<Database>, { tenant, name }: DestinationRef) =>
  transaction
    .deleteFrom('destinations')
    .where(({ and }) => and({ tenant, name }))
    .where('settings', 'is', null)
    .execute();

const placeOf = (subject: SubjectRef | undefined): string => (subject ? `${subject.kind}:${subject.id}` : '');

/** Returns the next subjects that a destination is to get something of, in an order. */
async function waitingFor(
  transaction: Transaction<Database>,
  { tenant, id: identity }: IdentityRef,
  after: string,
): Promise<readonly SubjectRef[]> {
  const [, kind = '', id = ''] = /^([^:]*):(.*)$/s.exec(after) ?? [];
  const rows = await transaction
    .selectFrom('outbox')
    .select(['tenant', 'kind', 'subject_id'])
    .distinct()
    .where(({ and }) => and({ tenant, destination: identity }))
    .where(isUnsentOfSubject)
    // The index by destination serves, too.
    .where('sent_at', 'is', null)
    .where(sql<boolean>`(kind, subject_id) > (${kind}, ${id})`)
    .orderBy('kind')
    .orderBy('subject_id')
    .limit(STEP)
    .execute();
  return rows.map(subjectIn);
}

/** Ends the waits for retries of what a destination is to get of some subjects, and begins the time for them anew. */
async function restart(
  transaction: Transaction<Database>,
  { tenant, id: identity }: IdentityRef,
  subjects: readonly SubjectRef[],
  now: number,
): Promise<void> {
  if (subjects.length === 0) return;
  await transaction
    .updateTable('outbox')
    .set({ tried_since: now, hurried_at: now })
    .where(({ and }) => and({ tenant, destination: identity }))
    .where(isUnsentOfSubject)
    .where(
      sql<boolean>`(kind, subject_id) in (values ${sql.join(subjects.map(({ kind, id }) => sql`(${kind}, ${id})`))})`,
    )
    .execute();
}
