import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Clock } from './engines/clock.ts';
import type { SharedDeps } from './schema.ts';

/** Interval of heartbeats and age after which a process counts as gone, in milliseconds. */
const HEARTBEAT_MS = 2_000;
const GONE_MS = 15_000;

/** Processes while their number is unknown: there may be another. */
const ASSUMED = 2;

/** Condition of a heartbeat that is not lately: neither of this time nor of one before the clock was set back. */
const isStale = (clock: Clock): RawBuilder<boolean> =>
  sql`(heartbeat_at < ${clock()} - ${GONE_MS} or heartbeat_at > ${clock()} + ${GONE_MS})`;

/** Condition that a process, by its id, sends no heartbeats. */
export const isGone = (clock: Clock, id: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`not exists (select 1 from processes where processes.id = ${id} and not ${isStale(clock)})`;

/**
 * Creates the registry of the processes that run activities on one database, so that each knows whether there are others. A process
 * that dies expires.
 */
export function createProcesses({ db, clock }: SharedDeps) {
  const id = randomUUID();
  /** Number of processes, this one included; null if it is unknown. */
  let known: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> | undefined;

  async function sendHeartbeat(): Promise<void> {
    const row = { id, heartbeat_at: clock() };
    await db
      .insertInto('processes')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
    await db.deleteFrom('processes').where(isStale(clock)).execute();
    const rows = await db.selectFrom('processes').select('id').execute();
    known = rows.length;
  }

  return {
    /** Id of this process. */
    id,
    /** Registers this process and sends a heartbeat every few seconds. */
    async join() {
      await sendHeartbeat();
      timer = setInterval(() => {
        beating = sendHeartbeat().catch(() => {
          known = null;
        });
      }, HEARTBEAT_MS);
    },
    /** Reports whether no other process is registered; false if that is unknown. */
    isAlone: () => known === 1,
    /** Returns the number of processes; two while that is unknown. */
    count: () => known ?? ASSUMED,
    /** Removes this process. */
    async leave() {
      clearInterval(timer);
      // It would register this process again.
      await beating;
      known = null;
      await db
        .deleteFrom('processes')
        .where('id', '=', id)
        .execute()
        .catch(() => undefined);
    },
  };
}
