import { createSealing, type EncryptionKeys } from '../base/sealing.ts';
import { DocklineError } from '../domain/errors.ts';
import { findTenant } from '../domain/permission.ts';
import type { DestinationFilter, DestinationRef, IdentityRef } from '../domain/routing.ts';
import type { DestinationContext, OpenDestination } from './kinds/kind.ts';
import { openDestination } from './kinds/kinds.ts';
import type { Receiver } from './sending/sending.ts';
import { type DestinationSettings, managedDestination, type TenantDestinations } from './settings.ts';
import type { Destinations, KnownDestination } from './tables/destinations.ts';

export type GivenDestination = Readonly<Record<string, unknown>>;

export interface SealedDestination {
  readonly given: GivenDestination;
  readonly secret?: readonly string[];
  /** Without one nothing can be fetched. */
  readonly recordsToken?: readonly string[];
}

/** Keeps one destination's secrets from being put in the place of another's. */
export const placeOf = ({ tenant, id }: IdentityRef): string => `destination ${tenant} ${id}`;

export type ManagedDestinations = ReturnType<typeof createManagedDestinations>;

export function createManagedDestinations(
  destinations: Pick<Destinations, 'findBy'>,
  keys: EncryptionKeys | undefined,
  tenants: readonly TenantDestinations[],
) {
  const sealing = keys && createSealing(keys);

  const configured = ({ tenant, name }: DestinationRef): DestinationSettings | undefined =>
    findTenant(tenants, tenant)?.destinations.find((it) => it.name === name);

  const unseal = ({ sealed, ...ref }: KnownDestination): string | undefined =>
    sealed === null ? undefined : sealing?.open(sealed, placeOf(ref));

  function open(known: KnownDestination): SealedDestination {
    const text = unseal(known);
    if (text === undefined) throw new Error(`DESTINATION_KEYS lacks the key of the secrets of ${known.name}`);
    return JSON.parse(text);
  }

  const settingsIn = (known: KnownDestination): DestinationSettings | undefined =>
    known.is_configured === 1 ? configured(known) : settingsOf(known, open(known));

  return {
    sealing,
    open,
    settingsIn,
    /** Without settings if nothing goes to it any more. @throws Error if its secrets cannot be opened */
    async findBy(ref: IdentityRef) {
      const found = await destinations.findBy(ref);
      return found && { name: found.name, settings: found.settings === null ? undefined : settingsIn(found) };
    },
    /** Currently valid tokens; undefined if the secrets cannot be opened. */
    recordsAccessIn(known: KnownDestination) {
      if (known.is_configured === 0 && unseal(known) === undefined) return undefined;
      const settings = settingsIn(known);
      return settings && { tokens: settings.recordsToken ?? [], filter: settings as DestinationFilter };
    },
  };
}

export const settingsOf = (
  { name }: Pick<DestinationRef, 'name'>,
  { given, ...secrets }: SealedDestination,
): DestinationSettings => managedDestination.parse({ ...given, name, ...secrets });

const HOLDS_MS = 1000;

export function createDestinationPool(managed: Pick<ManagedDestinations, 'findBy'>, context: DestinationContext) {
  const opened = new Map<string, { settings: string; readAt: number; destination: OpenDestination & Receiver }>();
  const closing = new Set<Promise<void>>();

  async function find({ tenant, id }: IdentityRef, { isLatest = false } = {}): Promise<Receiver> {
    const key = `${tenant} ${id}`;
    const known = isLatest ? undefined : opened.get(key);
    if (known && performance.now() - known.readAt < HOLDS_MS) return known.destination;
    const { name = id, settings } = (await managed.findBy({ tenant, id })) ?? {};
    if (!settings) {
      drop(key);
      throw new DocklineError('ERR_DESTINATION_UNKNOWN', `no destination ${name} is configured`);
    }
    const text = JSON.stringify(settings);
    const latest = opened.get(key);
    if (latest?.settings === text) {
      latest.readAt = performance.now();
      return latest.destination;
    }
    const destination = { ...openDestination(settings, context), name, filter: settings };
    drop(key);
    opened.set(key, { settings: text, readAt: performance.now(), destination });
    return destination;
  }

  function drop(key: string): void {
    const known = opened.get(key);
    if (!known) return;
    opened.delete(key);
    const closed = known.destination.close().finally(() => closing.delete(closed));
    closing.add(closed);
  }

  return {
    find,
    async close() {
      for (const key of opened.keys()) drop(key);
      await Promise.all(closing);
    },
  };
}
