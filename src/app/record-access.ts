import type { Holder, RecordAccess } from '../admin/record-routes.ts';
import { recordIn } from '../announcements/thinner.ts';
import type { TenantSettings } from '../config/tenants/tenant.ts';
import { singleFlight } from '../domain/single-flight.ts';
import { createMatcher } from '../http/credentials.ts';
import type { LeftOut } from '../store/tables/left-out.ts';
import type { ManagedDestinations } from './managed-destinations.ts';

/** Time for which tokens are not read again, in milliseconds. */
const HOLDS_MS = 1000;

/** Creates the access of receivers to records by the tokens of their destinations, configured and added ones. */
export function createRecordAccess({
  leftOut,
  managed,
  tenants,
}: {
  readonly leftOut: LeftOut;
  readonly managed: Pick<ManagedDestinations, 'recordsTokensIn'>;
  readonly tenants: readonly TenantSettings[];
}): RecordAccess {
  const configured = tenants.flatMap(({ id: tenant, destinations }) =>
    destinations.map(({ name, recordsToken = [] }) => toKnown({ tenant, name }, recordsToken)),
  );

  const known = singleFlight(HOLDS_MS, async () => {
    const added = await leftOut.sealedDestinations();
    return [...configured, ...added.map(({ sealed, ...ref }) => toKnown(ref, managed.recordsTokensIn(ref, sealed)))];
  });

  return {
    destinationsOf: leftOut.destinationsOf,
    bodyOf: leftOut.bodyOf,
    recordIn,
    async holdersOf() {
      const all = await known.read();
      return (token) => all.filter(({ matches }) => matches(token)).map(({ holder }) => holder);
    },
  };
}

const toKnown = (holder: Holder, tokens: readonly string[]) => ({ holder, matches: createMatcher(tokens) });
