import { randomUUID } from 'node:crypto';
import type { StoreDeps } from '../schema.ts';

/** Interval of heartbeats and age after which a process counts as gone, in milliseconds. */
const HEARTBEAT_MS = 2_000;
const GONE_MS = 15_000;

/**
 * Creates the registry of the processes that run activities on one database, so that each knows whether there are others. A process
 * that dies expires.
 */
export function createProcesses({ db, now }: StoreDeps) {
  const id = randomUUID();
  let alone = false;
  let timer: NodeJS.Timeout | undefined;

  async function sendHeartbeat(): Promise<void> {
    const row = { id, heartbeat_at: now() };
    await db
      .insertInto('processes')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
    await db
      .deleteFrom('processes')
      .where('heartbeat_at', '<', now() - GONE_MS)
      .execute();
    const rows = await db.selectFrom('processes').select('id').execute();
    alone = rows.every((other) => other.id === id);
  }

  return {
    /** Registers this process and sends a heartbeat every few seconds. */
    async join() {
      await sendHeartbeat();
      timer = setInterval(() => {
        void sendHeartbeat().catch(() => {
          alone = false;
        });
      }, HEARTBEAT_MS);
    },
    /** Reports whether no other process is registered; false if that is unknown. */
    isAlone: () => alone,
    /** Removes this process. */
    async leave() {
      clearInterval(timer);
      alone = false;
      await db
        .deleteFrom('processes')
        .where('id', '=', id)
        .execute()
        .catch(() => undefined);
    },
  };
}
