import { DocklineError } from '../domain/errors.ts';
import type { IdentityRef } from '../domain/routing.ts';
import type { DestinationContext, OpenDestination } from './kinds/kind.ts';
import { openDestination } from './kinds/kinds.ts';
import type { ManagedDestinations } from './managed-destinations.ts';
import type { Receiver } from './sending/sending.ts';

const HOLDS_MS = 1000;

/** Opens on demand, and again once settings have changed. */
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
