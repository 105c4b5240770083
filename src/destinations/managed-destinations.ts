import { type DestinationFilter, type DestinationRef, type IdentityRef, nameIn } from '../domain/routing.ts';
import type { CodecKeys } from '../temporal/codec/codec.ts';
import { type Rotated, validOf } from './rotated.ts';
import { createSealing } from './sealed.ts';
import { type DestinationSettings, managedDestination } from './settings.ts';
import type { Destinations } from './tables/destinations.ts';

/** Settings of a destination as a person gives them. */
export type GivenDestination = Readonly<Record<string, unknown>>;

/** Sealed part of a destination: its settings as they were given, the secrets that sign, and the tokens that fetch records. */
export interface SealedDestination {
  readonly given: GivenDestination;
  readonly secret: Rotated;
  /** Without any value nothing can be fetched. */
  readonly recordsToken: Rotated;
}

/** Place of a destination's secrets, so that those of one cannot be put in the place of another. */
export const placeOf = ({ tenant, id }: IdentityRef): string => `destination ${tenant} ${id}`;

/** Row of a destination that was added. */
interface Found {
  readonly id: string;
  readonly name: string;
  readonly sealed: Uint8Array;
}

/** Destinations that were added while Dockline runs, with their secrets. */
export type ManagedDestinations = ReturnType<typeof createManagedDestinations>;

/** Opens the destinations that were added while Dockline runs. */
export function createManagedDestinations(
  destinations: Pick<Destinations, 'find' | 'findBy'>,
  keys: CodecKeys | undefined,
) {
  const sealing = keys && createSealing(keys);

  function openFound(tenant: string, found: Found): SealedDestination {
    const opened = open(tenant, found);
    if (!opened) throw new Error(`DESTINATION_KEYS lacks the key of the secrets of ${found.name}`);
    return opened;
  }

  function open(tenant: string, { id, sealed }: Found): SealedDestination | undefined {
    // Earlier versions sealed them under the name, which was never changed.
    const places = [id, nameIn(id)].map((it) => placeOf({ tenant, id: it }));
    const text = places.map((place) => sealing?.open(sealed, place)).find((it) => it !== undefined);
    return text === undefined ? undefined : JSON.parse(text);
  }

  return {
    sealing,
    /** Reads what is sealed, with the identity; undefined if no such destination was added. @throws Error if its secrets cannot be opened */
    async read({ tenant, name }: DestinationRef) {
      const found = await destinations.find({ tenant, name });
      return found && { id: found.id, ...openFound(tenant, found) };
    },
    /** Returns the settings with the secrets that are valid now, and the identity; undefined if no such destination was added. */
    async find({ tenant, name }: DestinationRef) {
      const found = await destinations.find({ tenant, name });
      return found && { id: found.id, settings: settingsOf(found, openFound(tenant, found)) };
    },
    /** Finds a destination likewise by its identity, whatever it is called now; its secrets are opened with its settings. */
    async findBy({ tenant, id }: IdentityRef) {
      const found = await destinations.findBy({ tenant, id });
      return found && { name: found.name, settings: () => settingsOf(found, openFound(tenant, found)) };
    },
    /** Returns the tokens of a destination's records that are valid now; none if its secrets cannot be opened. */
    recordsTokensIn({ tenant, ...found }: Found & DestinationRef): readonly string[] {
      const opened = open(tenant, found);
      return opened ? validOf(opened.recordsToken) : [];
    },
    /** Returns these tokens with what their destination may have; undefined if its secrets cannot be opened. */
    recordsAccessIn({ tenant, ...found }: Found & DestinationRef) {
      const opened = open(tenant, found);
      return opened && { tokens: validOf(opened.recordsToken), filter: settingsOf(found, opened) as DestinationFilter };
    },
  };
}

/** Returns the settings of a destination with the secrets that are valid now. One that was added while there were modes may have one. */
export function settingsOf(
  { name }: Pick<DestinationRef, 'name'>,
  { given: { mode: _, ...given }, ...secrets }: SealedDestination,
): DestinationSettings {
  const valid = Object.entries(secrets).map(([sort, secret]) => [sort, validOf(secret)] as const);
  const present = Object.fromEntries(valid.filter(([, values]) => values.length > 0));
  return managedDestination.parse({ ...given, name, ...present });
}
