import { isLoopback } from '../../base/loopback.ts';
import type { TenantSettings } from '../../config/tenants/tenant.ts';
import { messageOf } from '../../domain/errors.ts';
import type { Proxies } from '../../http/proxies.ts';
import { createPublicKeySource } from '../../ingress/verification/public-key-source.ts';
import { createTransport } from '../../warehouse/client/transport.ts';
import { type Finding, failed, ok, type Reporter, warning } from './check.ts';

/** Checks that the deliveries of a tenant can be verified. */
export async function checkWebhook(
  { check }: Reporter,
  { webhook, baseUrl, paths }: TenantSettings,
  { host, timeoutMs, proxies }: { readonly host: string; readonly timeoutMs: number; readonly proxies: Proxies },
): Promise<void> {
  const { verify } = webhook;
  const keyPath = paths.webhookKey;
  if (verify === 'rsa-sha256' && webhook.publicKey)
    await check('public key', 'WEBHOOK_PUBLIC_KEY', async () => ok('is pinned: the warehouse is not asked for it'));
  else if (verify === 'rsa-sha256')
    await check('public key', `GET ${keyPath} of the warehouse`, () =>
      checkKey({ baseUrl, keyPath, proxies }, timeoutMs / 2),
    );
  else if (verify === 'none') await check('verification', verify, async () => checkNone(host));
  else
    await check('verification', verify, async () =>
      ok('its settings are there; only a delivery shows whether the sender has the same'),
    );
}

/** Returns why the key by which the deliveries of a tenant are verified cannot be fetched; undefined if it can, or none is. */
export async function findMissingKey(
  { webhook, baseUrl, paths }: TenantSettings,
  { proxies, timeoutMs }: { readonly proxies: Proxies; readonly timeoutMs: number },
): Promise<string | undefined> {
  if (webhook.verify !== 'rsa-sha256' || webhook.publicKey) return undefined;
  const address = { baseUrl, keyPath: paths.webhookKey, proxies };
  return (await fetchKey(address)) ? undefined : await explainMissing(address, timeoutMs);
}

interface KeyAddress {
  readonly baseUrl: string;
  readonly keyPath: string;
  readonly proxies: Proxies;
}

async function fetchKey(address: KeyAddress) {
  // Whoever asks explains its failures.
  const logger = { warn: () => {} };
  const source = createPublicKeySource({ ...address, graceMs: 0, maxAgeMs: 0, logger });
  await source.lookUp();
  return source.keys()[0];
}

async function checkKey(address: KeyAddress, timeoutMs: number): Promise<Finding> {
  const key = await fetchKey(address);
  if (key) return ok(`${key.asymmetricKeyType?.toUpperCase()} with ${key.asymmetricKeyDetails?.modulusLength} bits`);
  return failed(
    await explainMissing(address, timeoutMs),
    'Without the key no delivery can be verified, and each is answered 503. Compare WAREHOUSE_BASE_URL, and webhookKey in WAREHOUSE_PATHS if it is set, with what the warehouse gave you.',
  );
}

/** Asks once more, for the reason: the source only says that there is no key. */
async function explainMissing({ baseUrl, keyPath, proxies }: KeyAddress, timeoutMs: number): Promise<string> {
  try {
    const send = createTransport({ baseUrl, proxies, timeoutMs });
    const { status } = await send({ method: 'GET', path: keyPath, headers: {} });
    return `answered ${status}${status === 200 ? ', without a key that can be used' : ''}`;
  } catch (error) {
    return messageOf(error);
  }
}

function checkNone(host: string): Finding {
  if (isLoopback(host)) return ok('deliveries are not verified, and the endpoint is on loopback');
  return warning(
    'anyone who reaches the endpoint can send events',
    'Set WEBHOOK_VERIFY, unless a proxy in front of it verifies.',
  );
}
