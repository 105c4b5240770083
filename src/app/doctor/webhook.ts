import { isLoopback } from '../../base/loopback.ts';
import type { Config } from '../../config/config.ts';
import type { TenantSettings } from '../../config/tenants/tenant.ts';
import { messageOf } from '../../domain/errors.ts';
import { fetchPublicKey } from '../../ingress/verification/public-key-source.ts';
import { type Finding, failed, ok, type Reporter, warning } from './check.ts';

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
