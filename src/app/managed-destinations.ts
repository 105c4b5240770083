import type { GivenDestination } from '../admin/destination-control.ts';
import type { Config } from '../config/config.ts';
import { managedDestination } from '../config/tenants/schema.ts';
import type { DestinationSettings } from '../config/tenants/tenant.ts';
import type { DestinationFilter, DestinationRef } from '../domain/routing.ts';
import type { Destinations } from '../store/tables/destinations.ts';
import { type Rotated, validOf } from './rotated.ts';
import { createSealing } from './sealed.ts';

/** Sealed part of a destination: its settings as they were given, the secrets that sign, and the tokens that fetch records. */
export interface SealedDestination {
  readonly given: GivenDestination;
  readonly secret: Rotated;
  /** Without any value nothing can be fetched. */
  readonly recordsToken: Rotated;
}

/** Place of a destination's secrets, so that those of one cannot be put in the place of another. */
export const placeOf = ({ tenant, name }: DestinationRef): string => `destination ${tenant} ${name}`;

/** Destinations that were added while Dockline runs, with their secrets. */
export type ManagedDestinations = ReturnType<typeof createManagedDestinations>;

/** Opens the destinations that were added while Dockline runs. */
export function createManagedDestinations(
  destinations: Pick<Destinations, 'find'>,
  { DESTINATION_KEYS: keys }: Pick<Config, 'DESTINATION_KEYS'>,
) {
  const sealing = keys && createSealing(keys);

  /** Reads what is sealed; undefined if no such destination was added. @throws Error if its secrets cannot be opened */
  async function read(ref: DestinationRef): Promise<SealedDestination | undefined> {
    const found = await destinations.find(ref);
    return found && openFound(ref, found);
  }

  function openFound(ref: DestinationRef, found: { readonly sealed: Uint8Array }): SealedDestination {
    const opened = open(ref, found.sealed);
    if (!opened) throw new Error(`DESTINATION_KEYS lacks the key of the secrets of ${ref.name}`);
    return opened;
  }

  function open(ref: DestinationRef, sealed: Uint8Array): SealedDestination | undefined {
    const text = sealing?.open(sealed, placeOf(ref));
    return text === undefined ? undefined : JSON.parse(text);
  }

  return {
    sealing,
    read,
    /** Returns the settings with the secrets that are valid now; undefined if no such destination was added. */
    async settingsOf(ref: DestinationRef): Promise<DestinationSettings | undefined> {
      const sealed = await read(ref);
      return sealed && settingsOf(ref, sealed);
    },
    /** Returns the settings likewise, with the identity. */
    async find(ref: DestinationRef) {
      const found = await destinations.find(ref);
      return found && { id: found.id, settings: settingsOf(ref, openFound(ref, found)) };
    },
    /** Returns the tokens of a destination's records that are valid now; none if its secrets cannot be opened. */
    recordsTokensIn(ref: DestinationRef, sealed: Uint8Array): readonly string[] {
      const opened = open(ref, sealed);
      return opened ? validOf(opened.recordsToken) : [];
    },
    /** Returns these tokens with what their destination may have; undefined if its secrets cannot be opened. */
    recordsAccessIn(ref: DestinationRef, sealed: Uint8Array) {
      const opened = open(ref, sealed);
      return opened && { tokens: validOf(opened.recordsToken), filter: settingsOf(ref, opened) as DestinationFilter };
    },
  };
}

/** Returns the settings of a destination with the secrets that are valid now. */
export const settingsOf = ({ name }: DestinationRef, { given, ...secrets }: SealedDestination): DestinationSettings => {
  const valid = Object.entries(secrets).map(([sort, secret]) => [sort, validOf(secret)] as const);
  const present = Object.fromEntries(valid.filter(([, values]) => values.length > 0));
  return managedDestination.parse({ ...given, name, ...present });
};
