import { randomBytes, randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Clock } from './engines/clock.ts';
import { addRows, deleteRows, putRows } from './rows.ts';
import type { SharedDeps, StoreDeps } from './schema.ts';

/** Interval of heartbeats, and age from which a process counts as gone. */
const HEARTBEAT_MS = 2_000;
const GONE_MS = 15_000;

/** Another process may exist. */
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
    /** False if that is unknown. */
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
  const row = { row: 1, id };
  await addRows(db, 'installation', row).execute();
  return (await db.selectFrom('installation').select('id').executeTakeFirst())?.id ?? id;
}
