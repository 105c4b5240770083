import { once } from 'node:events';
import { createServer } from 'node:net';
import { isLoopback } from '../../base/loopback.ts';
import type { Config } from '../../config/config.ts';
import type { TenantSettings } from '../../config/tenants/tenant.ts';
import { messageOf } from '../../domain/errors.ts';
import { isDocklineAt, listen, type Place } from '../../http/listen.ts';
import { fetchPublicKey } from '../../ingress/verification/public-key-source.ts';
import { type Finding, failed, ok, type Reporter, warning } from './check.ts';

/** As the start does. A port of a running Dockline is fine. */
export async function checkPorts({ check }: Reporter, config: Config): Promise<void> {
  const { WEBHOOK_HOST, WEBHOOK_PORT, METRICS_HOST, METRICS_PORT = 0 } = config;
  // It answers on the port of the webhook, or of the metrics, which every role has.
  const running = Promise.all([isDocklineAt(WEBHOOK_HOST, WEBHOOK_PORT), isDocklineAt(METRICS_HOST, METRICS_PORT)]);
  await Promise.all(
    portsOf(config).map((place) =>
      check(place.variable, `${place.host}:${place.port}`, async () => {
        const server = createServer();
        try {
          await listen(place, async () => await once(server.listen(place), 'listening'));
          return ok(place.port === 0 ? 'any free port is taken' : 'is free');
        } catch (error) {
          if ((await running).includes(true)) return ok('taken: Dockline is running');
          throw error;
        } finally {
          server.close();
        }
      }),
    ),
  );
}

function portsOf(config: Config): readonly Place[] {
  const { WEBHOOK_HOST, ADMIN_HOST, CODEC_HOST, METRICS_HOST, TEMPORAL_ADDRESS, tenants, alerts } = config;
  const isSimulated = tenants.length === 0;
  const hasReceiver = isSimulated || tenants.some(({ destinations }) => destinations.length === 0);
  const embeddedIf = (isUsed: boolean) => (isUsed ? '127.0.0.1' : undefined);
  const hosts = {
    WEBHOOK_PORT: WEBHOOK_HOST,
    ADMIN_PORT: ADMIN_HOST,
    CODEC_PORT: CODEC_HOST,
    METRICS_PORT: METRICS_HOST,
    TEMPORAL_METRICS_PORT: METRICS_HOST,
    TEMPORAL_PORT: embeddedIf(!TEMPORAL_ADDRESS),
    TEMPORAL_UI_PORT: embeddedIf(!TEMPORAL_ADDRESS),
    WAREHOUSE_PORT: embeddedIf(isSimulated),
    ANNOUNCE_PORT: embeddedIf(hasReceiver),
    MAILBOX_PORT: embeddedIf(isSimulated && !alerts),
  };
  return (Object.keys(hosts) as (keyof typeof hosts)[]).flatMap((variable) => {
    const [host, port] = [hosts[variable], config[variable]];
    return host === undefined || port === undefined ? [] : [{ variable, host, port }];
  });
}

export async function checkWebhook({ check }: Reporter, tenant: TenantSettings, config: Config): Promise<void> {
  const { webhook, baseUrl, paths } = tenant;
  const { verify } = webhook;
  if (verify === 'rsa-sha256' && webhook.publicKey)
    await check('public key', 'WEBHOOK_PUBLIC_KEY', async () => ok('is pinned: the warehouse is not asked for it'));
  else if (verify === 'rsa-sha256')
    await check('public key', `GET ${paths.webhookKey} of the warehouse`, () =>
      fetchPublicKey({ baseUrl, keyPath: paths.webhookKey, proxies: config }).then(
        ({ asymmetricKeyType: type, asymmetricKeyDetails: details }) =>
          ok(`${type?.toUpperCase()} with ${details?.modulusLength} bits`),
        (error) => failed(messageOf(error), NO_KEY),
      ),
    );
  else if (verify === 'none') await check('verification', verify, async () => judgeNone(config.WEBHOOK_HOST));
  else
    await check('verification', verify, async () =>
      ok('its settings are there; only a delivery shows whether the sender has the same'),
    );
}

const NO_KEY =
  'Without the key no delivery can be verified, and each is answered 503. Compare WAREHOUSE_BASE_URL, and webhookKey in WAREHOUSE_PATHS if it is set, with what the warehouse gave you.';

function judgeNone(host: string): Finding {
  if (isLoopback(host)) return ok('deliveries are not verified, and the endpoint is on loopback');
  return warning(
    'anyone who reaches the endpoint can send events',
    'Set WEBHOOK_VERIFY, unless a proxy in front of it verifies.',
  );
}
