import type { Kysely } from 'kysely';
import { MOST_NAMES } from '../../domain/unknown-name.ts';
import type { Connections } from '../../store/engines/connections.ts';
import type { Database, StoreDeps } from '../../store/schema.ts';

/** Name of an event that a person has given a meaning, or ignores. */
interface AcceptedName {
  /** `ordershipped`, or for one family `order/ordershipped`. */
  readonly key: string;
  /** Name in the catalogue, or `ignore`. */
  readonly meaning: string;
  readonly at: number;
  readonly by: string;
}

/** Reads the names that people have given a meaning. */
export const readEventNames = (reads: Kysely<Database>): Promise<readonly AcceptedName[]> =>
  reads
    .selectFrom('event_names')
    .select(['key', 'meaning', 'accepted_at as at', 'accepted_by as by'])
    .orderBy('key')
    .limit(MOST_NAMES)
    .execute();

/** Names of events that people have given a meaning, for all processes. */
export type EventNames = ReturnType<typeof createEventNames>;

export function createEventNames({ db, durably, now }: StoreDeps & Pick<Connections, 'durably'>) {
  return {
    /** Returns the meanings by the keys of the names, as they are now. */
    async meanings(): Promise<Readonly<Record<string, string>>> {
      return Object.fromEntries((await readEventNames(db)).map(({ key, meaning }) => [key, meaning]));
    },

    /** Gives a name a meaning durably, in place of the one that it had; returns that. */
    put: (key: string, meaning: string, by: string) =>
      durably(async (transaction) => {
        const named = transaction.selectFrom('event_names').select('meaning').where('key', '=', key);
        const before = await named.executeTakeFirst();
        const row = { meaning, accepted_at: now(), accepted_by: by };
        await transaction
          .insertInto('event_names')
          .values({ key, ...row })
          .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
          .execute();
        return before?.meaning;
      }),

    /** Forgets the meaning of a name durably; returns it, or undefined if it has none. */
    remove: (key: string) =>
      durably(async (transaction) => {
        const removed = transaction.deleteFrom('event_names').where('key', '=', key).returning('meaning');
        return (await removed.executeTakeFirst())?.meaning;
      }),
  };
}
