import type { Kysely } from 'kysely';
import type { DestinationRef, Identity } from '../../domain/routing.ts';
import type { Database } from '../../store/schema.ts';
import { readIdentity } from './identities.ts';

/** Destination that was added while Dockline runs, with its secrets. */
export interface SealedDestination extends DestinationRef {
  readonly id: Identity;
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
        .select(['tenant', 'id', 'name', 'sealed'])
        .where('sealed', 'is not', null)
        .$narrowType<{ sealed: Uint8Array }>()
        .execute();
      return rows;
    },

    /** Returns an announcement with the identities of the destinations that it goes to; its body is empty once it is no longer kept. */
    async announcement(id: string) {
      const row = await reads
        .selectFrom('announcements')
        .select(['id', 'tenant', 'customer_id as customerId', 'body'])
        .where('id', '=', id)
        .executeTakeFirst();
      const rows = await reads.selectFrom('outbox').select('destination').where('announcement', '=', id).execute();
      const identities = rows.map(({ destination }) => destination);
      return row && { ...row, body: Buffer.from(row.body).toString(), identities };
    },

    /** Returns the identity of a destination. */
    identityOf: (destination: DestinationRef): Promise<Identity> => readIdentity(reads, destination),
  };
}
