import { createDestination } from '../../announcements/destination.ts';
import { createTestAnnouncement, TEST_TYPE } from '../../announcements/test-announcement.ts';
import type { Config } from '../../config/config.ts';
import { DEFAULT_DESTINATION, type DestinationSettings, type TenantSettings } from '../../config/tenants/tenant.ts';
import { type DocklineError, messageOf } from '../../domain/errors.ts';
import { proxyOf, throughProxy } from '../../http/proxies.ts';
import { type Examiner, type Finding, failed, ok, warning } from './check.ts';

/** Sends a signed test announcement to each destination of a tenant. */
export async function checkDestinations(
  examiner: Examiner,
  { id, endpoint, destinations }: TenantSettings,
  config: Config,
  timeoutMs: number,
): Promise<void> {
  if (destinations.length === 0)
    examiner.skip('destination', 'test announcement', 'ANNOUNCE_URL is not set: npm start runs an embedded receiver');
  for (const destination of destinations)
    await checkDestination(examiner, id ?? endpoint, destination, { config, timeoutMs });
}

async function checkDestination(
  { check }: Examiner,
  tenant: string,
  destination: DestinationSettings,
  { config, timeoutMs }: { readonly config: Config; readonly timeoutMs: number },
): Promise<void> {
  const { origin, pathname } = new URL(destination.url);
  const name = destination.name === DEFAULT_DESTINATION ? '' : ` (${destination.name})`;
  const proxy = proxyOf(destination.url, config);
  const way = throughProxy(proxy) || ' directly';
  await check('destination', `POST ${TEST_TYPE} to ${origin}${pathname}${name}${way}`, async (signal) => {
    try {
      const { ANNOUNCE_ALLOWED_ADDRESSES: allowedAddresses } = config;
      const client = createDestination({ ...destination, timeoutMs, allowedAddresses, proxies: config });
      const { status } = await client.send(createTestAnnouncement(tenant), signal).finally(client.close);
      return ok(`answered ${status}`);
    } catch (error) {
      signal.throwIfAborted();
      return explain(error, destination, proxy);
    }
  });
}

function explain(
  error: unknown,
  { authorization }: { readonly authorization?: string },
  proxy: URL | undefined,
): Finding {
  const { code, status = 0 } = error as DocklineError;
  const found = messageOf(error);
  if (code === 'ERR_DESTINATION_REFUSED')
    return warning(found, `Let the receiver answer 2xx to types that it does not know, such as ${TEST_TYPE}.`);
  if (code === 'ERR_DESTINATION_ADDRESS')
    return failed(found, 'If it is meant to be internal, list its address in ANNOUNCE_ALLOWED_ADDRESSES.');
  if (code === 'ERR_DESTINATION_UNREACHABLE')
    return failed(
      found,
      proxy
        ? 'Check HTTPS_PROXY (or HTTP_PROXY) with its user and password, and that the proxy lets this address through. If it is reached without one, name it in NO_PROXY.'
        : 'Check ANNOUNCE_URL, and that this machine may connect to it (DNS, firewall, certificate). If only a proxy may, set HTTPS_PROXY.',
    );
  if (status === 401 || status === 403)
    return failed(
      found,
      authorization === undefined
        ? 'The receiver does not accept the signature: compare its secret with ANNOUNCE_SECRET. If it wants a user and a password, put them into ANNOUNCE_URL.'
        : 'The receiver does not accept the user and the password of ANNOUNCE_URL, or the signature: compare them, and its secret with ANNOUNCE_SECRET.',
    );
  if (status < 400)
    return failed(found, 'Redirects are not followed: set ANNOUNCE_URL to the address where they lead.');
  return failed(
    found,
    'Check ANNOUNCE_URL, and the log of the receiver. Announcements wait and are retried meanwhile.',
  );
}
