import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { SubjectRef } from '../../domain/catalogue/subject.ts';
import type { StoredDestination } from '../../domain/decision.ts';
import type { DestinationFilter, DestinationRef, Identity, IdentityRef } from '../../domain/routing.ts';
import { makeDue } from '../../inbox/tables/due.ts';
import { countMatching } from '../../store/bounded-count.ts';
import { isThere, isUnsentOfSubject } from '../../store/outbox-conditions.ts';
import {
  addRows,
  changeRows,
  deleteRows,
  type Meant,
  prepared,
  putRows,
  rowsOf,
  type Stored,
} from '../../store/rows.ts';
import { type Database, type Pauser, type SharedDeps, type StoreDeps, subjectIn } from '../../store/schema.ts';
import { countUnwanted, findUnwanted, type VisibleDestinations, withdraw } from './withdrawals.ts';

/** JSON without secrets. */
const settingsInForce = sql<string>`coalesce(configured, settings)`;
const isConfigured = sql<0 | 1>`case when configured is null then 0 else 1 end`;

type SavedDestination = { readonly id: Identity; readonly settings: string; readonly sealed: Uint8Array };

export async function storedDestinations(db: Kysely<Database>, tenant: string): Promise<readonly StoredDestination[]> {
  const rows = await selectStored(db, { tenant });
  return rows.map(({ id, settings, paused_at, was_paused }) => ({
    id,
    filter: JSON.parse(settings),
    isPaused: paused_at !== null,
    wasPaused: was_paused === 1,
  }));
}

const selectStored = prepared((db, { tenant }: { readonly tenant: string }) =>
  rowsOf(db, 'destinations', { tenant })
    .select(['id', 'paused_at', 'was_paused', settingsInForce.as('settings')])
    .where(isThere)
    .orderBy('name'),
);

/** Settings are null if nothing goes to it any more. */
const selectKnown = (db: Kysely<Database>, meant: Meant<'destinations'> = {}) =>
  rowsOf(db, 'destinations', meant)
    .select(['tenant', 'id', 'name', 'sealed', isConfigured.as('is_configured')])
    .select((settingsInForce as RawBuilder<string | null>).as('settings'));

export type KnownDestination = Omit<Stored<typeof selectKnown>, 'settings'>;

export const knownDestinations = (reads: Kysely<Database>): Promise<readonly KnownDestination[]> =>
  selectKnown(reads).where(isThere).execute();

/** Gets what it wants, does not accept it, or gets nothing, by a person or by Dockline. */
export const destinationStates = ['active', 'failing', 'paused', 'stopped'] as const;

type DestinationState = (typeof destinationStates)[number];

export const stateColumn = sql<DestinationState>`case
  when paused_at is null then case when failing_since is null then 'active' else 'failing' end
  when paused_by = 'dockline' then 'stopped' else 'paused' end`;

export const selectDestinations = (reads: Kysely<Database>) =>
  reads
    .selectFrom('destinations')
    .select(['tenant', 'id', 'name', settingsInForce.as('settings'), isConfigured.as('is_configured')])
    .select(['paused_at', 'paused_because', 'failing_since', 'last_error', stateColumn.as('state')])
    .where(isThere);

export const destinationState = (reads: Kysely<Database>) =>
  selectDestinations(reads).orderBy('tenant').orderBy('name').execute();

/** Failing longer is an outage. */
const OUTAGE_MS = 60_000;

const STEP = 500;

export type Destinations = ReturnType<typeof createDestinations>;

export function createDestinations({ db, now, clock }: StoreDeps & SharedDeps) {
  // One that was removed gets no state by what was under way.
  const update = ({ tenant, id }: IdentityRef) => changeRows(db, 'destinations', { tenant, id }).where(isThere);

  return {
    /** One that is not configured any more stays only if it was added, and keeps a person's pause. Other accounts stay as they are. */
    configure: (tenants: readonly VisibleDestinations[]): Promise<void> =>
      db.transaction().execute((transaction) => configure(transaction, tenants, now())),

    find: ({ tenant, name }: DestinationRef) => selectKnown(db, { tenant, name }).where(isThere).executeTakeFirst(),

    findBy: ({ tenant, id }: IdentityRef) => selectKnown(db, { tenant, id }).executeTakeFirst(),

    async filterOf(ref: DestinationRef | IdentityRef): Promise<DestinationFilter | undefined> {
      const found = await ('id' in ref ? this.findBy(ref) : this.find(ref));
      return found?.settings ? JSON.parse(found.settings) : undefined;
    },

    /** Somebody new, whoever had the name before; false if it is taken. */
    async add({ tenant, name }: DestinationRef, saved: SavedDestination): Promise<boolean> {
      const added = addRows(db, 'destinations', { tenant, name, ...saved, updated_at: now() });
      return (await added.returning('id').executeTakeFirst()) !== undefined;
    },

    /** False if it is gone. What was said of it while it had other customers is forgotten. */
    async change(tenant: string, { id, settings, sealed }: SavedDestination): Promise<boolean> {
      return await db.transaction().execute(async (transaction) => {
        const before = await rowsOf(transaction, 'destinations', { tenant, id }).select('settings').executeTakeFirst();
        if (!before?.settings) return false;
        const isOfOthers = customersIn(before.settings) !== customersIn(settings);
        await changeRows(transaction, 'destinations', { tenant, id })
          .set({ settings, sealed, updated_at: now(), ...(isOfOthers && UNSAID) })
          .execute();
        return true;
      });
    },

    async rename(destination: IdentityRef, name: string): Promise<boolean> {
      try {
        const { numUpdatedRows } = await update(destination).set({ name, updated_at: now() }).executeTakeFirst();
        return numUpdatedRows > 0n;
      } catch (error) {
        if (await this.find({ tenant: destination.tenant, name })) return false;
        throw error;
      }
    },

    /** Up to `COUNTED`. */
    async countUnsent({ tenant, id }: IdentityRef): Promise<number> {
      const unsent = rowsOf(db, 'outbox', { tenant, destination: id });
      return (await countMatching(db, unsent.where('sent_at', 'is', null))).count;
    },

    countUnwanted: (destination: IdentityRef, filter: DestinationFilter): Promise<number> =>
      countUnwanted(db, destination, filter),

    async withdrawUnwanted(destination: IdentityRef, filter: DestinationFilter): Promise<number> {
      let count = 0;
      for await (const ids of findUnwanted(db, destination, filter)) {
        await db.transaction().execute((transaction) => withdraw(transaction, destination, ids));
        count += ids.length;
      }
      return count;
    },

    async remove({ tenant, id }: IdentityRef): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        const unsent = rowsOf(transaction, 'outbox', { tenant, destination: id, sent_at: null }).select('announcement');
        await deleteRows(transaction, 'attempts', { destination: id }).where('announcement', 'in', unsent).execute();
        await deleteRows(transaction, 'outbox', { tenant, destination: id, sent_at: null }).execute();
        await changeRows(transaction, 'destinations', { tenant, id })
          .set({ configured: null, settings: null, sealed: null, ...UNSAID })
          .execute();
      });
    },

    /** A pause keeps its first reason. Returns the name; undefined if nothing was sent to it anyhow. */
    async pause(destination: IdentityRef, because: string, by: Pauser = 'person'): Promise<string | undefined> {
      const paused = await update(destination)
        .set({ paused_at: now(), paused_by: by, paused_because: because, was_paused: 1, resumed_up_to: null })
        .where('paused_at', 'is', null)
        .returning('name')
        .executeTakeFirst();
      return paused?.name;
    },

    async resume(destination: IdentityRef): Promise<void> {
      await update(destination)
        .set({
          paused_at: null,
          paused_by: null,
          paused_because: null,
          failing_since: null,
          quiet_until: null,
          resumed_up_to: '',
        })
        .where('paused_at', 'is not', null)
        .execute();
    },

    /** Some at a time; true if there may be more. */
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
        await makeDue(transaction, subjects, clock);
        await changeRows(transaction, 'destinations', { tenant, id, resumed_up_to: upTo })
          .set({ resumed_up_to: subjects.length < STEP ? null : placeOf(subjects.at(-1)) })
          .execute();
      });
      return true;
    },

    async failed(destination: IdentityRef, error: string): Promise<number> {
      const row = await update(destination)
        .set(({ fn, val }) => ({ failing_since: fn.coalesce('failing_since', val(now())), last_error: error }))
        .returning('failing_since as since')
        .executeTakeFirst();
      return row?.since ?? now();
    },

    /** After an outage, what waits is tried at once. */
    async succeeded(destination: IdentityRef): Promise<void> {
      await update(destination)
        .set({
          failing_since: null,
          resumed_up_to: sql`case when failing_since <= ${now() - OUTAGE_MS} then '' else resumed_up_to end`,
        })
        .where('failing_since', 'is not', null)
        .execute();
    },
  };
}

const customersIn = (settings: string): string =>
  ((JSON.parse(settings) as DestinationFilter).customers ?? []).toSorted().join();

/** It is for the customers of that time. */
const UNSAID = { paused_because: null, failing_since: null, last_error: null } as const;

async function configure(transaction: Transaction<Database>, tenants: readonly VisibleDestinations[], now: number) {
  for (const { id: tenant, destinations } of tenants) {
    const rows = await rowsOf(transaction, 'destinations', { tenant })
      .select(['id', 'name', 'paused_by', isConfigured.as('is_configured')])
      .select(settingsInForce.as('inForce'))
      .where(isThere)
      .execute();
    for (const { id, name, is_configured, paused_by } of rows)
      if (is_configured === 1 && !destinations.some((it) => it.name === name))
        await changeRows(transaction, 'destinations', { tenant, id })
          .set({ configured: null, ...UNSAID, ...(paused_by === 'dockline' && { paused_at: null, paused_by: null }) })
          .execute();
    for (const { name, ...settings } of destinations) {
      const configured = JSON.stringify(settings);
      const before = rows.find((it) => it.name === name);
      const isOfOthers = before !== undefined && customersIn(before.inForce) !== customersIn(configured);
      const row = { configured, updated_at: now, ...(isOfOthers && UNSAID) };
      await putRows(transaction, 'destinations', { tenant, id: before?.id ?? name, name, ...row }, row).execute();
    }
  }
}

const placeOf = (subject: SubjectRef | undefined): string => (subject ? `${subject.kind}:${subject.id}` : '');

async function waitingFor(
  transaction: Transaction<Database>,
  { tenant, id: identity }: IdentityRef,
  after: string,
): Promise<readonly SubjectRef[]> {
  const [, kind = '', id = ''] = /^([^:]*):(.*)$/s.exec(after) ?? [];
  const rows = await rowsOf(transaction, 'outbox', { tenant, destination: identity, sent_at: null })
    .select(['tenant', 'kind', 'subject_id'])
    .distinct()
    .where(isUnsentOfSubject)
    .where(sql<boolean>`(kind, subject_id) > (${kind}, ${id})`)
    .orderBy('kind')
    .orderBy('subject_id')
    .limit(STEP)
    .execute();
  return rows.map(subjectIn);
}

async function restart(
  transaction: Transaction<Database>,
  { tenant, id: identity }: IdentityRef,
  subjects: readonly SubjectRef[],
  now: number,
): Promise<void> {
  if (subjects.length === 0) return;
  await changeRows(transaction, 'outbox', { tenant, destination: identity })
    .set({ tried_since: now, expedited_at: now })
    .where(isUnsentOfSubject)
    .where(
      sql<boolean>`(kind, subject_id) in (values ${sql.join(subjects.map(({ kind, id }) => sql`(${kind}, ${id})`))})`,
    )
    .execute();
}
