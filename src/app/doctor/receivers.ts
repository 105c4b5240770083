import type { Config } from '../../config/config.ts';
import type { TenantSettings } from '../../config/tenants/tenant.ts';
import { createTestAnnouncement } from '../../destinations/announcements/cloud-event.ts';
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
  const kind = kindOf(destination.kind);
  const client = kind.open(destination, contextOf(config));
  try {
    const announcement = createTestAnnouncement(tenant);
    const { status } = await client.send(announcement, AbortSignal.timeout(config.ANNOUNCE_TIMEOUT_MS));
    return ['ok', `answered ${status}`];
  } catch (error) {
    const { code, status = 0 } = error instanceof DocklineError ? error : {};
    // Who refuses the test, or has nobody for it yet, may take announcements.
    const isOfTest = code === 'ERR_DESTINATION_REFUSED' || status === kind.untaken;
    const found = messageOf(error);
    return [isOfTest ? 'warning' : 'failed', found, kind.advice[status] ?? adviceFor(code, found)];
  } finally {
    await client.close();
  }
}

function adviceFor(code: FailureCode | undefined, found: string): string | undefined {
  if (code === 'ERR_DESTINATION_REFUSED') return 'Let the receiver answer 2xx to types that it does not know.';
  if (code === 'ERR_DESTINATION_ADDRESS')
    return 'If it is meant to be internal, list its address in ANNOUNCE_ALLOWED_ADDRESSES.';
  return code === 'ERR_DESTINATION_UNREACHABLE'
    ? (untrusted.find(([error]) => error.test(found))?.[1] ?? UNREACHABLE)
    : undefined;
}

const SET_CA = 'set ANNOUNCE_CA, or ca in the file, to a PEM file with the certificate of the authority.';

/** Node cannot tell whether an issuer is unknown or was only not sent. */
const untrusted = [
  [/SELF_SIGNED_CERT|self-signed certificate/, `Its certificate is of an authority that is not public: ${SET_CA}`],
  [
    /UNABLE_TO_(GET_ISSUER|VERIFY)|unable to (get|verify)/,
    `Have it send its whole chain, with the intermediate certificates. If its authority is not public, ${SET_CA}`,
  ],
] as const;

const UNREACHABLE =
  'Check the address, and that this machine may connect to it (DNS, firewall, certificate; HTTPS_PROXY if only a proxy may). If it wants a client certificate, set ANNOUNCE_CLIENT_CERT and ANNOUNCE_CLIENT_KEY.';
