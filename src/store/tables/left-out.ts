import type { Kysely } from 'kysely';
import type { DestinationRef } from '../../domain/routing.ts';
import type { Database } from '../schema.ts';

/** Destination that was added while Dockline runs, with its secrets. */
export interface SealedDestination extends DestinationRef {
  readonly sealed: Uint8Array;
}

/** Parts of announcements that receivers may fetch after they got these. */
export type LeftOut = ReturnType<typeof createLeftOut>;

/** Creates the reads of what was left out of announcements. */
export function createLeftOut({ reads }: { readonly reads: Kysely<Database> }) {
  return {
    /** Returns the destinations that were added. */
    async sealedDestinations(): Promise<readonly SealedDestination[]> {
      const rows = await reads
        .selectFrom('destinations')
        .select(['tenant', 'name', 'sealed'])
        .where('sealed', 'is not', null)
        .$narrowType<{ sealed: Uint8Array }>()
        .execute();
      return rows;
    },

    /** Returns the destinations that an announcement goes to; none for one that does not exist. */
    destinationsOf: (announcement: string): Promise<DestinationRef[]> =>
      reads
        .selectFrom('outbox')
        .select(['tenant', 'destination as name'])
        .where('announcement', '=', announcement)
        .execute(),

    /** Returns the body of an announcement as it was recorded; undefined once it is no longer kept. */
    async bodyOf(announcement: string): Promise<string | undefined> {
      const row = await reads
        .selectFrom('announcements')
        .select('body')
        .where('id', '=', announcement)
        .executeTakeFirst();
      // A purged body is empty.
      return row && row.body.byteLength > 0 ? Buffer.from(row.body).toString() : undefined;
    },
  };
}
