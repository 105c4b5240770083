import { configureWatch } from '../alerts/configured-watch.ts';
import type { OpenChannels } from '../alerts/open-channels.ts';
import { keepWatch } from '../alerts/watch.ts';
import type { Health } from '../health/health.ts';
import { timeZoneOf } from './health.ts';
import type { PartOptions } from './service-options.ts';

/** Starts to look for what is wrong, and to tell the channels; undefined without any. */
export function startAlerts({
  health,
  channels,
  dependencies,
  store,
  logger,
}: PartOptions & { readonly health: Health; readonly channels: OpenChannels | undefined }) {
  const { alerts: settings, tenants } = dependencies;
  if (!settings || !channels) return undefined;
  const { alerts, reads, now } = store;
  const timeZone = timeZoneOf({ dependencies });
  const loop = keepWatch(configureWatch({ settings, channels, health, alerts, reads, tenants, timeZone, now, logger }));
  loop.start();
  return loop;
}
