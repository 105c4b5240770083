import { randomUUID } from 'node:crypto';
import type { StoreDeps } from '../store-deps.ts';

/** The processes that run activities on one database, so that they know of each other. */
export interface Processes {
  /** Says that this process is one of them, once and then every few seconds. */
  join(): Promise<void>;
  /** Whether no other one has said so lately; false where that cannot be known. */
  isAlone(): boolean;
  /** Says that it no longer is. */
  leave(): Promise<void>;
}

/** How often a process says that it is there, and after how long it is taken as gone, in milliseconds. */
const EVERY_MS = 2_000;
const GONE_MS = 15_000;

/** Keeps the list of those processes in the database; a process that dies is forgotten by its age. */
export function createProcesses({ db, now }: StoreDeps): Processes {
  const id = randomUUID();
  let alone = false;
  let timer: NodeJS.Timeout | undefined;

  async function say(): Promise<void> {
    const row = { id, seen_at: now() };
    await db
      .insertInto('processes')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
    await db
      .deleteFrom('processes')
      .where('seen_at', '<', now() - GONE_MS)
      .execute();
    const rows = await db.selectFrom('processes').select('id').execute();
    alone = rows.every((other) => other.id === id);
  }

  return {
    async join() {
      await say();
      timer = setInterval(() => {
        void say().catch(() => {
          alone = false;
        });
      }, EVERY_MS);
    },
    isAlone: () => alone,
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
