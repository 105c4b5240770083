import type { Kysely } from 'kysely';
import { singleFlight } from '../base/single-flight.ts';
import { type Permitted, permit } from '../domain/permission.ts';
import type { DestinationFilter, IdentityRef } from '../domain/routing.ts';
import { createMatcher } from '../http/credentials.ts';
import type { Database } from '../store/schema.ts';
import { recordIn } from './announcements/thinner.ts';
import type { ManagedDestinations } from './managed-destinations.ts';
import { findRouted } from './tables/announcements.ts';
import { knownDestinations } from './tables/destinations.ts';

/** Tokens are not read again within it. */
const HOLDS_MS = 1000;

export interface Holder extends IdentityRef {
  readonly filter: DestinationFilter;
}

export type RecordAccess = ReturnType<typeof createRecordAccess>;

export function createRecordAccess({
  reads,
  managed,
}: {
  readonly reads: Kysely<Database>;
  readonly managed: Pick<ManagedDestinations, 'recordsAccessIn'>;
}) {
  const known = singleFlight(HOLDS_MS, async () =>
    (await knownDestinations(reads)).flatMap((it) => {
      const { tenant, id } = it;
      const access = managed.recordsAccessIn(it);
      if (!access) return [];
      return [{ holder: { tenant, id, filter: access.filter }, matches: createMatcher(access.tokens) }];
    }),
  );

  return {
    /** For a holder who may have it now; the body is empty once it is no longer kept. */
    async find(id: string, holders: readonly Holder[]): Promise<Permitted<{ readonly body: string }> | undefined> {
      const found = await findRouted(reads, id);
      if (!found) return undefined;
      for (const holder of holders) {
        if (holder.tenant !== found.tenant) continue;
        const permitted = found.identities.includes(holder.id) ? permit(holder.filter, found) : undefined;
        if (permitted) return permitted;
      }
      return undefined;
    },
    recordIn: (announcement: Permitted<{ readonly body: string }>, member: string) => recordIn(announcement, member),
    /** The search for a token's destinations compares in constant time. */
    async holdersOf() {
      const all = await known.read();
      return (token: string): readonly Holder[] =>
        all.filter(({ matches }) => matches(token)).map(({ holder }) => holder);
    },
  };
}
