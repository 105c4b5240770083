import { DocklineError } from '../domain/errors.ts';
import { type IdentityRef, nameIn } from '../domain/routing.ts';
import type { DestinationContext, OpenDestination } from './kinds/kind.ts';
import { openDestination } from './kinds/kinds.ts';
import type { Receiver } from './sending/receiver.ts';
import type { DestinationSettings } from './settings.ts';

/** Destinations that were added. */
interface Managed {
  /** Finds one by its identity, whatever it is called now. */
  findBy(ref: IdentityRef): Promise<{ readonly name: string; settings(): DestinationSettings } | undefined>;
}

/** Time for which the settings of a destination are not read again, in milliseconds. */
const HOLDS_MS = 1000;

/** Opens destinations that were added while Dockline runs as they are needed, and again once their settings have changed. */
export function createDestinationPool(managed: Managed, context: DestinationContext) {
  const opened = new Map<string, { settings: string; readAt: number; destination: OpenDestination & Receiver }>();
  const closing = new Set<Promise<void>>();

  /** Finds a destination, among those that are configured if it was added before that. */
  async function find(
    { tenant, id }: IdentityRef,
    {
      configured,
      isLatest = false,
    }: { readonly configured: ReadonlyMap<string, Receiver>; readonly isLatest?: boolean },
  ): Promise<Receiver> {
    const key = `${tenant} ${id}`;
    const known = isLatest ? undefined : opened.get(key);
    if (known && performance.now() - known.readAt < HOLDS_MS) return known.destination;
    const found = await managed.findBy({ tenant, id });
    const own = found && configured.get(found.name);
    if (!found || own) drop(key);
    if (own) return own;
    if (!found) throw new DocklineError('ERR_DESTINATION_UNKNOWN', `no destination ${nameIn(id)} is configured`);
    const settings = found.settings();
    const text = JSON.stringify(settings);
    const latest = opened.get(key);
    if (latest?.settings === text) {
      latest.readAt = performance.now();
      return latest.destination;
    }
    const destination = { ...openDestination(settings, context), name: found.name, filter: settings };
    drop(key);
    opened.set(key, { settings: text, readAt: performance.now(), destination });
    return destination;
  }

  /** Closes a destination once its requests have ended. */
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
