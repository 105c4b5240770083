import { type Audience, audienceOf, everything, isOfCustomers } from '../alerts/audience.ts';
import type { AlertSettings } from '../alerts/settings.ts';
import { keepWatch, type WatchDeps } from '../alerts/watch.ts';
import { destinationsWithin } from '../domain/limit.ts';
import type { Health } from '../health/health.ts';
import { limitReads, readEverything } from '../store/limited-reads.ts';
import type { OpenChannels } from './alert-channels.ts';
import { timeZoneOf } from './health.ts';
import type { PartOptions } from './service-options.ts';

const MINUTE_MS = 60_000;

/** Parts that alerts need. */
type AlertOptions = Pick<PartOptions, 'config' | 'dependencies' | 'store' | 'logger'> & {
  readonly settings: AlertSettings;
  readonly channels: OpenChannels;
  readonly health: Health;
};

/** Gathers what a watch needs. */
export function watchOf({ settings, channels, health, ...options }: AlertOptions): WatchDeps {
  const { store, logger } = options;
  const listeners = channels.open.map(({ settings: wishes, channel }) => ({
    wishes,
    channel,
    audience: audienceOf(wishes.tenants, wishes.customers),
  }));
  const audiences = new Map([everything, ...listeners.map((it) => it.audience)].map((it) => [it.name, it]));
  return {
    alerts: store.alerts,
    listeners: listeners.map((it) => ({ ...it, audience: it.audience.name })),
    audiences: [...audiences.values()],
    find: createFind(health, [...audiences.values()], options),
    damping: { holdMs: settings.holdSeconds * 1000, clearMs: settings.clearSeconds * 1000 },
    failingMs: settings.failingMinutes * MINUTE_MS,
    awayMs: settings.awayMinutes * MINUTE_MS,
    boardUrl: channels.boardUrl,
    timeZone: timeZoneOf(options),
    now: store.now,
    logger,
  };
}

/** Starts to look for what is wrong, and to tell the channels; undefined without any. */
export function startAlerts(
  options: PartOptions & { readonly health: Health; readonly channels: OpenChannels | undefined },
) {
  const { channels } = options;
  const { alerts: settings } = options.dependencies;
  if (!settings || !channels) return undefined;
  const loop = keepWatch(watchOf({ ...options, settings, channels }));
  loop.start();
  return loop;
}

function createFind(
  health: Health,
  audiences: readonly Audience[],
  options: Pick<PartOptions, 'store' | 'dependencies'>,
): WatchDeps['find'] {
  const finds = new Map(
    audiences.map((audience) => [
      audience.name,
      audience.limits === undefined ? health.whole : health.within(readsOf(audience, options), isOfCustomers(audience)),
    ]),
  );
  return async ({ name }) => (await finds.get(name)?.all()) ?? [];
}

/** Returns the connection that reads what an audience may hear of, as for a token with the same limits. */
function readsOf({ name, limits }: Audience, { store, dependencies }: Pick<PartOptions, 'store' | 'dependencies'>) {
  if (limits === undefined) return readEverything(store.reads);
  const configured = dependencies.tenants.flatMap(({ id: tenant, destinations }) =>
    destinations.map(({ name, customers }) => ({ tenant, name, customers })),
  );
  return limitReads(store.reads, {
    token: `alerts of ${name}`,
    limits,
    configured: destinationsWithin(limits, configured),
  });
}
