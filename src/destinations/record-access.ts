import { singleFlight } from '../base/single-flight.ts';
import { type Permitted, permit } from '../domain/permission.ts';
import type { DestinationFilter, Identity } from '../domain/routing.ts';
import { createMatcher } from '../http/credentials.ts';
import { recordIn } from './announcements/thinner.ts';
import type { ManagedDestinations } from './managed-destinations.ts';
import type { TenantDestinations } from './settings.ts';
import type { LeftOut } from './tables/left-out.ts';

/** Time for which tokens are not read again, in milliseconds. */
const HOLDS_MS = 1000;

/** Destination whose receiver fetches records; without a tenant it is that of the only one. */
export interface Holder {
  readonly tenant: string | undefined;
  readonly name: string;
  /** Absent for one that is configured. */
  readonly id?: Identity;
  /** Announcements that it may have. */
  readonly filter: DestinationFilter;
}

/** Access of receivers to the records that were left out of what they got. */
export type RecordAccess = ReturnType<typeof createRecordAccess>;

/** Creates the access of receivers to records by the tokens of their destinations, configured and added ones. */
export function createRecordAccess({
  leftOut,
  managed,
  tenants,
}: {
  readonly leftOut: LeftOut;
  readonly managed: Pick<ManagedDestinations, 'recordsAccessIn'>;
  readonly tenants: readonly TenantDestinations[];
}) {
  const configured = tenants.flatMap(({ id: tenant, destinations }) =>
    destinations.map(({ recordsToken = [], ...filter }) =>
      toKnown({ tenant, name: filter.name, filter }, recordsToken),
    ),
  );

  const known = singleFlight(HOLDS_MS, async () => {
    const added = await leftOut.sealedDestinations();
    return [
      ...configured,
      ...added.flatMap((it) => {
        const { tenant, id, name } = it;
        const opened = managed.recordsAccessIn(it);
        return opened ? [toKnown({ tenant, id, name, filter: opened.filter }, opened.tokens)] : [];
      }),
    ];
  });

  return {
    /** Finds an announcement that goes to one of the holders, and that this one may have now; its body is empty once it is no longer kept. */
    async find(id: string, holders: readonly Holder[]): Promise<Permitted<{ readonly body: string }> | undefined> {
      const found = await leftOut.announcement(id);
      if (!found) return undefined;
      for (const holder of holders) {
        if (holder.tenant !== undefined && holder.tenant !== found.tenant) continue;
        const identity = holder.id ?? (await leftOut.identityOf({ tenant: found.tenant, name: holder.name }));
        const isTheirs = found.identities.includes(identity) || found.identities.includes(holder.id ?? holder.name);
        const permitted = isTheirs ? permit(holder.filter, found) : undefined;
        if (permitted) return permitted;
      }
      return undefined;
    },
    /** Returns the record of a recorded announcement under a member, as its text; undefined if it has none. */
    recordIn: (announcement: Permitted<{ readonly body: string }>, member: string) => recordIn(announcement, member),
    /** Reads the tokens; returns the search for the destinations that have one, which compares in constant time. */
    async holdersOf() {
      const all = await known.read();
      return (token: string): readonly Holder[] =>
        all.filter(({ matches }) => matches(token)).map(({ holder }) => holder);
    },
  };
}

const toKnown = (holder: Holder, tokens: readonly string[]) => ({ holder, matches: createMatcher(tokens) });
