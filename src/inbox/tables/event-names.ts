import type { Kysely } from 'kysely';
import { MOST_NAMES } from '../../domain/quarantine.ts';
import type { Connections } from '../../store/engines/connections.ts';
import { deleteRows, putRows } from '../../store/rows.ts';
import type { Database, StoreDeps } from '../../store/schema.ts';

/** Keys are like `ordershipped`, or for one family `order/ordershipped`; meanings are names in the catalogue, or `ignore`. */
export const readEventNames = (reads: Kysely<Database>) =>
  reads
    .selectFrom('event_names')
    .select(['key', 'meaning', 'accepted_at as at', 'accepted_by as by'])
    .orderBy('key')
    .limit(MOST_NAMES)
    .execute();

export type EventNames = ReturnType<typeof createEventNames>;

export function createEventNames({ db, durably, now }: StoreDeps & Pick<Connections, 'durably'>) {
  return {
    async meanings(): Promise<Readonly<Record<string, string>>> {
      return Object.fromEntries((await readEventNames(db)).map(({ key, meaning }) => [key, meaning]));
    },

    /** Durable. */
    put: (key: string, meaning: string, by: string) =>
      durably((transaction) =>
        putRows(transaction, 'event_names', { key, meaning, accepted_at: now(), accepted_by: by }).execute(),
      ),

    /** Durable; returns the meaning, if there was one. */
    remove: (key: string) =>
      durably(async (transaction) => {
        const removed = deleteRows(transaction, 'event_names', { key }).returning('meaning');
        return (await removed.executeTakeFirst())?.meaning;
      }),
  };
}
