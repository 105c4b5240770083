import type { Config } from '../../config/config.ts';
import type { TenantSettings } from '../../config/tenants/tenant.ts';
import { createTestAnnouncement } from '../../destinations/announcements/cloud-event.ts';
import { reply } from '../../destinations/kinds/amqp-session.ts';
import { kindOf } from '../../destinations/kinds/kinds.ts';
import { type DestinationSettings, plainAddress } from '../../destinations/settings.ts';
import { DocklineError, type FailureCode, messageOf } from '../../domain/errors.ts';
import { openAlertChannels } from '../health.ts';
import { contextOf } from '../service-options.ts';
import { type Check, checksOf, type Finding } from './check.ts';

/** Sends each alert channel a test message. */
export async function checkAlerts(config: Config): Promise<readonly Check[]> {
  const check = checksOf('alerts');
  if (!config.alerts)
    return [await check('channels', async () => ['skipped', 'CONFIG_FILE has no alerts: nobody is notified'])];
  const channels = openAlertChannels(config, config.alerts);
  const checks = channels.open.map(({ settings: { kind, name }, test }) =>
    check(`${kind} ${name}`, () =>
      test().then(
        (answer) => ['ok', answer],
        (error) => ['failed', messageOf(error)],
      ),
    ),
  );
  return await Promise.all(checks).finally(channels.close);
}

/** Sends each destination an announcement of the type `dockline.test`. */
export const checkDestinations = ({ id, destinations }: TenantSettings, config: Config): Promise<readonly Check[]> =>
  Promise.all(
    destinations.map((destination) =>
      checksOf(`destination ${destination.name} of ${id}`)(plainAddress(destination.url), () =>
        trySending(id, destination, config),
      ),
    ),
  );

async function trySending(tenant: string, destination: DestinationSettings, config: Config): Promise<Finding> {
  const client = kindOf(destination.kind).open(destination, contextOf(config));
  try {
    const announcement = createTestAnnouncement(tenant);
    const { status } = await client.send(announcement, AbortSignal.timeout(config.ANNOUNCE_TIMEOUT_MS));
    return ['ok', `answered ${status}`];
  } catch (error) {
    const { code, status } = error instanceof DocklineError ? error : {};
    // Who refuses the test, or has no queue for it, may take announcements.
    const isOfTest = code === 'ERR_DESTINATION_REFUSED' || status === reply.noRoute;
    return [isOfTest ? 'warning' : 'failed', messageOf(error), code && advice[code]];
  } finally {
    await client.close();
  }
}

const advice: { readonly [Code in FailureCode]?: string } = {
  ERR_DESTINATION_REFUSED: 'Let the receiver answer 2xx to types that it does not know.',
  ERR_DESTINATION_ADDRESS: 'If it is meant to be internal, list its address in ANNOUNCE_ALLOWED_ADDRESSES.',
};
