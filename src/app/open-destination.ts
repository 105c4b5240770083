import type { Receiver } from '../../activities/ports/announcing.ts';
import type { OpenDestination } from '../announcements/kind.ts';
import { openDestination as open } from '../announcements/kinds.ts';
import type { Config } from '../config/config.ts';
import type { DestinationSettings } from '../config/tenants/tenant.ts';
import { DocklineError } from '../domain/errors.ts';
import { type DestinationRef, type IdentityRef, nameIn } from '../domain/routing.ts';
import type { Tracing } from '../domain/tracing.ts';

/** Destinations that were added. */
interface Managed {
  /** Returns the settings with the identity; undefined if there is no such destination. */
  find(ref: DestinationRef): Promise<{ readonly id: string; readonly settings: DestinationSettings } | undefined>;
}

/** Opens a destination by its settings. */
export const openDestination = (settings: DestinationSettings, config: Config, tracing: Tracing | undefined) =>
  open(settings, {
    tracing,
    proxies: config,
    timeoutMs: config.ANNOUNCE_TIMEOUT_MS,
    allowedAddresses: config.ANNOUNCE_ALLOWED_ADDRESSES,
  });

/** Time for which the settings of a destination are not read again, in milliseconds. */
const HOLDS_MS = 1000;

/** Opens destinations that were added while Dockline runs as they are needed, and again once their settings have changed. */
export function createDestinationPool(managed: Managed, config: Config, tracing?: Tracing) {
  const opened = new Map<string, { settings: string; readAt: number; destination: OpenDestination & Receiver }>();
  const closing = new Set<Promise<void>>();

  async function find({ tenant, id }: IdentityRef): Promise<Receiver> {
    const key = `${tenant} ${id}`;
    const known = opened.get(key);
    if (known && performance.now() - known.readAt < HOLDS_MS) return known.destination;
    const name = nameIn(id);
    const found = await managed.find({ tenant, name });
    // Somebody else may have the name by now.
    if (found?.id !== id) {
      drop(key);
      throw new DocklineError('ERR_DESTINATION_UNKNOWN', `no destination ${name} is configured`);
    }
    const { settings } = found;
    const text = JSON.stringify(settings);
    const latest = opened.get(key);
    if (latest?.settings === text) {
      latest.readAt = performance.now();
      return latest.destination;
    }
    const destination = { ...openDestination(settings, config, tracing), filter: settings };
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
