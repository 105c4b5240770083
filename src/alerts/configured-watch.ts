import type { TenantDestinations } from '../destinations/settings.ts';
import { destinationsWithin } from '../domain/limit.ts';
import type { Health } from '../health/health.ts';
import type { Connections } from '../store/engines/connections.ts';
import { limitReads, readEverything } from '../store/limited-reads.ts';
import { type Audience, audienceOf, everything, isOfCustomers } from './audience.ts';
import type { OpenChannels } from './open-channels.ts';
import type { AlertSettings } from './settings.ts';
import type { WatchDeps } from './watch.ts';

const MINUTE_MS = 60_000;

/** Settings of alerts with what they are about. */
interface Configured extends Pick<WatchDeps, 'alerts' | 'timeZone' | 'now' | 'logger'> {
  readonly settings: AlertSettings;
  readonly channels: OpenChannels;
  readonly health: Health;
  readonly reads: Connections['reads'];
  readonly tenants: readonly TenantDestinations[];
}

/** Gathers what a watch needs by the settings of alerts. */
export function configureWatch({ settings, channels, health, reads, tenants, ...given }: Configured): WatchDeps {
  const listeners = channels.open.map(({ settings: wishes, channel }) => ({
    wishes,
    channel,
    audience: audienceOf(wishes.tenants, wishes.customers),
  }));
  const audiences = new Map([everything, ...listeners.map((it) => it.audience)].map((it) => [it.name, it]));
  return {
    ...given,
    listeners: listeners.map((it) => ({ ...it, audience: it.audience.name })),
    audiences: [...audiences.values()],
    find: createFind([...audiences.values()], { health, reads, tenants }),
    damping: { holdMs: settings.holdSeconds * 1000, clearMs: settings.clearSeconds * 1000 },
    failingMs: settings.failingMinutes * MINUTE_MS,
    awayMs: settings.awayMinutes * MINUTE_MS,
    boardUrl: channels.boardUrl,
  };
}

type Readings = Pick<Configured, 'health' | 'reads' | 'tenants'>;

/** Creates the search for each audience. */
function createFind(audiences: readonly Audience[], { health, ...readings }: Readings): WatchDeps['find'] {
  const finds = new Map(
    audiences.map((audience) => [
      audience.name,
      audience.limits === undefined
        ? health.whole
        : health.within(readsOf(audience, readings), isOfCustomers(audience)),
    ]),
  );
  return async ({ name }) => (await finds.get(name)?.all()) ?? [];
}

/** Returns the connection that reads what an audience may hear of, as for a token with the same limits. */
function readsOf({ name, limits }: Audience, { reads, tenants }: Pick<Readings, 'reads' | 'tenants'>) {
  if (limits === undefined) return readEverything(reads);
  const configured = tenants.flatMap(({ id: tenant, destinations }) =>
    destinations.map(({ name, customers }) => ({ tenant, name, customers })),
  );
  return limitReads(reads, {
    token: `alerts of ${name}`,
    limits,
    configured: destinationsWithin(limits, configured),
  });
}
