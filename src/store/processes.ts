import { randomBytes, randomUUID } from 'node:crypto';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Clock } from './engines/dialect.ts';
import { addRows, changeRows, deleteRows, putRows } from './rows.ts';
import type { Database, SharedDeps, StoreDeps } from './schema.ts';

/** Interval of heartbeats, and age from which a process counts as gone. */
const HEARTBEAT_MS = 2_000;
const GONE_MS = 15_000;

const ASSUMED = 2;

/** Neither of this time nor from before the clock was set back. */
const isStale = (clock: Clock): RawBuilder<boolean> =>
  sql`(heartbeat_at < ${clock()} - ${GONE_MS} or heartbeat_at > ${clock()} + ${GONE_MS})`;

export const isGone = (clock: Clock, id: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`not exists (select 1 from processes where processes.id = ${id} and not ${isStale(clock)})`;

export function createProcesses({ db, clock }: SharedDeps) {
  const id = randomUUID();
  let known: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  let heartbeat: Promise<void> | undefined;

  async function sendHeartbeat(): Promise<void> {
    await putRows(db, 'processes', { id, heartbeat_at: clock() }).execute();
    await db.deleteFrom('processes').where(isStale(clock)).execute();
    const rows = await db.selectFrom('processes').select('id').execute();
    known = rows.length;
  }

  return {
    id,
    async join() {
      await sendHeartbeat();
      timer = setInterval(() => {
        heartbeat = sendHeartbeat().catch(() => {
          known = null;
        });
      }, HEARTBEAT_MS);
    },
    isAlone: () => known === 1,
    count: () => known ?? ASSUMED,
    async leave() {
      clearInterval(timer);
      // It would register this process again.
      await heartbeat;
      known = null;
      await deleteRows(db, 'processes', { id })
        .execute()
        .catch(() => undefined);
    },
  };
}

/** Of the store, wherever it was moved or restored; ids sort by age. Makes one for a new store. */
export async function openInstallation({ db, now }: StoreDeps): Promise<string> {
  const id = `${now().toString(36)}-${randomBytes(4).toString('hex')}`;
  await addRows(db, 'installation', { row: 1, id }).execute();
  return (await db.selectFrom('installation').select('id').executeTakeFirst())?.id ?? id;
}

export const leaseFor = (clock: Clock, forMs: number) => ({
  leased_at: clock(),
  leased_until: sql<number>`${clock()} + ${forMs}`,
});

/** A lease that begins in the future is from before the clock was set back. */
export const isFree = (clock: Clock): RawBuilder<boolean> =>
  sql`(leased_until is null or leased_until <= ${clock()} or leased_at > ${clock()})`;

export async function breakLeases(db: Transaction<Database>, clock: Clock, ids: readonly string[]): Promise<void> {
  await changeRows(db, 'outbox', { announcement: ids })
    .set({ leased_until: null })
    .where('leased_until', 'is not', null)
    .where(isGone(clock, sql.ref('leased_by')))
    .execute();
}

/** On a database that only this process can use. */
export async function forgetHolders(db: Kysely<Database>): Promise<void> {
  // The first condition is that of an index.
  const unsent = changeRows(db, 'outbox', { sent_at: null }).where('leased_until', 'is not', null);
  await unsent.set({ leased_until: null }).execute();
  await db.deleteFrom('processes').execute();
  await db.updateTable('alert_watch').set({ leased_until: null }).execute();
  await changeRows(db, 'bulk_actions', { state: 'running' }).set({ leased_until: null }).execute();
}
