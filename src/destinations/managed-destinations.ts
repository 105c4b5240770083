import type { EncryptionKeys } from '../base/encryption-key.ts';
import { createSealing } from '../base/sealing.ts';
import type { DestinationFilter, DestinationRef, IdentityRef } from '../domain/routing.ts';
import { findTenant } from '../domain/tenant.ts';
import { type DestinationSettings, managedDestination, type TenantDestinations } from './settings.ts';
import type { Destinations, KnownDestination } from './tables/destinations.ts';

export type GivenDestination = Readonly<Record<string, unknown>>;

/** `given` are the settings as a person gave them. */
export interface SealedDestination {
  readonly given: GivenDestination;
  readonly secret: Rotated;
  /** Without any value nothing can be fetched. */
  readonly recordsToken: Rotated;
}

/** Place of a destination's secrets, so that those of one cannot be put in the place of another. */
export const placeOf = ({ tenant, id }: IdentityRef): string => `destination ${tenant} ${id}`;

export type ManagedDestinations = ReturnType<typeof createManagedDestinations>;

/** Destinations with their settings and secrets, those of the configuration and those that were added. */
export function createManagedDestinations(
  destinations: Pick<Destinations, 'find' | 'findBy'>,
  keys: EncryptionKeys | undefined,
  tenants: readonly TenantDestinations[],
) {
  const sealing = keys && createSealing(keys);

  const configured = ({ tenant, name }: DestinationRef): DestinationSettings | undefined =>
    findTenant(tenants, tenant)?.destinations.find((it) => it.name === name);

  /** Undefined if its secrets cannot be opened. */
  function open({ sealed, ...ref }: KnownDestination): SealedDestination | undefined {
    const text = sealed === null ? undefined : sealing?.open(sealed, placeOf(ref));
    return text === undefined ? undefined : JSON.parse(text);
  }

  function openAdded(known: KnownDestination): SealedDestination {
    const opened = open(known);
    if (!opened) throw new Error(`DESTINATION_KEYS lacks the key of the secrets of ${known.name}`);
    return opened;
  }

  const settingsIn = (known: KnownDestination): DestinationSettings | undefined =>
    known.is_configured === 1 ? configured(known) : settingsOf(known, openAdded(known));

  return {
    sealing,
    configured,
    /** Undefined if no such destination was added. @throws Error if its secrets cannot be opened */
    async read(ref: DestinationRef) {
      const found = await destinations.find(ref);
      return found?.is_configured === 0 ? { id: found.id, ...openAdded(found) } : undefined;
    },
    /** With the secrets that are valid now. @throws Error if they cannot be opened */
    async find(ref: DestinationRef) {
      const found = await destinations.find(ref);
      return found && settingsIn(found);
    },
    /** Whatever it is called now; without settings if nothing goes to it any more. @throws Error if its secrets cannot be opened */
    async findBy(ref: IdentityRef) {
      const found = await destinations.findBy(ref);
      return found && { name: found.name, settings: found.settings === null ? undefined : settingsIn(found) };
    },
    /** With the tokens that are valid now; undefined if its secrets cannot be opened. */
    recordsAccessIn(known: KnownDestination) {
      if (known.is_configured === 0 && !open(known)) return undefined;
      const settings = settingsIn(known);
      return settings && { tokens: settings.recordsToken ?? [], filter: settings as DestinationFilter };
    },
  };
}

export function settingsOf(
  { name }: Pick<DestinationRef, 'name'>,
  { given, ...secrets }: SealedDestination,
): DestinationSettings {
  const valid = Object.entries(secrets).map(([sort, secret]) => [sort, validOf(secret)] as const);
  const present = Object.fromEntries(valid.filter(([, values]) => values.length > 0));
  return managedDestination.parse({ ...given, name, ...present });
}

/** Values of a secret that is replaced without a gap, the newest first. */
export interface Rotated {
  readonly values: readonly string[];
  /** Time until which all but the first are valid, in milliseconds since the epoch; null for ever. */
  readonly othersUntil: number | null;
}

const validOf = ({ values, othersUntil }: Rotated): readonly string[] =>
  othersUntil !== null && Date.now() >= othersUntil ? values.slice(0, 1) : values;

/** The newest one before stays valid for that time. */
export const rotate = ({ values }: Rotated, value: string, validForMs: number): Rotated => ({
  values: [value, ...values.slice(0, 1)],
  othersUntil: Date.now() + validForMs,
});
