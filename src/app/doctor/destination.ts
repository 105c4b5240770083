import { describeChannel } from '../../alerts/open-channels.ts';
import type { Config } from '../../config/config.ts';
import type { TenantSettings } from '../../config/tenants/tenant.ts';
import { createTestAnnouncement, TEST_TYPE } from '../../destinations/announcements/cloud-event.ts';
import { kindOf } from '../../destinations/kinds/kinds.ts';
import { DEFAULT_DESTINATION, type DestinationSettings } from '../../destinations/settings.ts';
import type { DocklineError } from '../../domain/errors.ts';
import { openAlertChannels } from '../health.ts';
import { contextOf } from '../service-options.ts';
import { type Finding, failed, ok, type Reporter, warning } from './check.ts';

export async function checkAlerts({ check, skip }: Reporter, config: Config, timeoutMs: number): Promise<void> {
  const { alerts } = config;
  if (!alerts) return skip('channels', 'test message', 'CONFIG_FILE has no alerts: nobody is notified of problems');
  const channels = openAlertChannels(config, alerts, { timeoutMs });
  try {
    for (const { settings, test } of channels.open)
      await check('channel', `test message by ${describeChannel(settings)}`, async () => {
        const { isDelivered, detail } = await test();
        return isDelivered
          ? ok(detail)
          : failed(detail, 'Compare its settings in CONFIG_FILE with what the channel expects.');
      });
  } finally {
    await channels.close();
  }
}

export async function checkDestinations(
  reporter: Reporter,
  { id, destinations }: TenantSettings,
  config: Config,
  timeoutMs: number,
): Promise<void> {
  if (destinations.length === 0)
    reporter.skip(
      'destination',
      'test announcement',
      'ANNOUNCE_URL is not set: dockline start runs an embedded receiver',
    );
  for (const destination of destinations) await checkDestination(reporter, id, destination, { config, timeoutMs });
}

async function checkDestination(
  { check }: Reporter,
  tenant: string,
  destination: DestinationSettings,
  { config, timeoutMs }: { readonly config: Config; readonly timeoutMs: number },
): Promise<void> {
  const kind = kindOf(destination.kind);
  const name = destination.name === DEFAULT_DESTINATION ? '' : ` (${destination.name})`;
  await check('destination', kind.attempt(TEST_TYPE, destination, config) + name, async (signal) => {
    try {
      const client = kind.open(destination, { ...contextOf(config), timeoutMs });
      const { status } = await client.send(createTestAnnouncement(tenant), signal).finally(client.close);
      return ok(`answered ${status}`);
    } catch (error) {
      signal.throwIfAborted();
      return explain(error as DocklineError, destination, config);
    }
  });
}

function explain(failure: DocklineError, destination: DestinationSettings, config: Config): Finding {
  if (failure.code === 'ERR_DESTINATION_ADDRESS')
    return failed(failure.message, 'If it is meant to be internal, list its address in ANNOUNCE_ALLOWED_ADDRESSES.');
  const { advice, isWarning } = kindOf(destination.kind).advise(failure, destination, config);
  return (isWarning ? warning : failed)(failure.message, advice);
}
