import { singleFlight } from '../base/single-flight.ts';
import { permit } from '../domain/permission.ts';
import { createMatcher } from '../http/credentials.ts';
import { recordIn } from './announcements/thinner.ts';
import type { ManagedDestinations } from './managed-destinations.ts';
import type { Holder, RecordAccess } from './record-routes.ts';
import type { ConfiguredDestinations } from './settings.ts';
import type { LeftOut } from './tables/left-out.ts';

/** Time for which tokens are not read again, in milliseconds. */
const HOLDS_MS = 1000;

/** Creates the access of receivers to records by the tokens of their destinations, configured and added ones. */
export function createRecordAccess({
  leftOut,
  managed,
  tenants,
}: {
  readonly leftOut: LeftOut;
  readonly managed: Pick<ManagedDestinations, 'recordsAccessIn'>;
  readonly tenants: readonly ConfiguredDestinations[];
}): RecordAccess {
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
    async find(id, holders) {
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
    recordIn,
    async holdersOf() {
      const all = await known.read();
      return (token) => all.filter(({ matches }) => matches(token)).map(({ holder }) => holder);
    },
  };
}

const toKnown = (holder: Holder, tokens: readonly string[]) => ({ holder, matches: createMatcher(tokens) });
