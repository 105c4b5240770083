import { type OpenChannels, openChannels } from '../alerts/open-channels.ts';
import type { AlertSettings } from '../alerts/settings.ts';
import { keepWatch } from '../alerts/watch.ts';
import type { Config } from '../config/config.ts';
import type { Health } from '../health/health.ts';
import { timeZoneOf } from './health.ts';
import { contextOf, type PartOptions } from './service-options.ts';

export function openAlertChannels(
  config: Config,
  { channels, boardUrl }: Pick<AlertSettings, 'channels' | 'boardUrl'>,
  {
    timeoutMs = TIMEOUT_MS,
    served,
  }: { readonly timeoutMs?: number | undefined; readonly served?: () => string | undefined } = {},
) {
  return openChannels(channels, { ...contextOf(config), timeoutMs }, () => boardUrl ?? boardUrlOf(config, served?.()));
}

const TIMEOUT_MS = 10_000;

/** Any port is that on which this process listens. */
function boardUrlOf({ ADMIN_URL, ADMIN_HOST, ADMIN_PORT }: Config, served: string | undefined): string {
  if (ADMIN_PORT === 0 && ADMIN_URL === undefined && served !== undefined) return served;
  return ADMIN_URL?.replace(/(?<!\/)\/+$/, '') ?? `http://${ADMIN_HOST}:${ADMIN_PORT}`;
}

export function startAlerts({
  health,
  channels,
  dependencies,
  store,
  logger,
}: PartOptions & { readonly health: Health; readonly channels: OpenChannels | undefined }) {
  const { alerts: settings } = dependencies;
  if (!settings || !channels) return undefined;
  const { alerts, reads, now } = store;
  const timeZone = timeZoneOf({ dependencies });
  const loop = keepWatch({ settings, channels, health, alerts, reads, timeZone, now, logger });
  loop.start();
  return loop;
}
