import { createDestination } from '../../announcements/destination.ts';
import { createTestAnnouncement, TEST_TYPE } from '../../announcements/test-announcement.ts';
import type { Config } from '../../config/config.ts';
import { DEFAULT_DESTINATION, type DestinationSettings, type TenantSettings } from '../../config/tenants/tenant.ts';
import { type DocklineError, messageOf, reasonOf } from '../../domain/errors.ts';
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

function explain(error: unknown, destination: DestinationSettings, proxy: URL | undefined): Finding {
  const { code, status = 0, cause } = error as DocklineError;
  const found = messageOf(error);
  if (code === 'ERR_DESTINATION_REFUSED')
    return warning(found, `Let the receiver answer 2xx to types that it does not know, such as ${TEST_TYPE}.`);
  if (code === 'ERR_DESTINATION_ADDRESS')
    return failed(found, 'If it is meant to be internal, list its address in ANNOUNCE_ALLOWED_ADDRESSES.');
  if (code === 'ERR_DESTINATION_UNREACHABLE') return failed(found, connectionAdvice(reasonOf(cause), proxy));
  const isForwarded = proxy && new URL(destination.url).protocol === 'http:';
  const advice = answerAdvice(status, destination.headers?.authorization !== undefined);
  return failed(
    found,
    isForwarded ? `${advice} Over plain http the answer may be the proxy's: check HTTP_PROXY.` : advice,
  );
}

/** Returns the advice about an answer with this status. */
function answerAdvice(status: number, isAuthorized: boolean): string {
  if (status === 401 || status === 403)
    return isAuthorized
      ? 'The receiver does not accept the signature, or what else shows who sends: compare its secret with ANNOUNCE_SECRET, and the user and password of ANNOUNCE_URL, ANNOUNCE_BEARER or ANNOUNCE_HEADERS.'
      : 'The receiver does not accept the signature: compare its secret with ANNOUNCE_SECRET. If it wants more, put a user and a password into ANNOUNCE_URL, a token into ANNOUNCE_BEARER, another header into ANNOUNCE_HEADERS, or set ANNOUNCE_CLIENT_CERT.';
  if (status < 400) return 'Redirects are not followed: set ANNOUNCE_URL to the address where they lead.';
  return 'Check ANNOUNCE_URL, and the log of the receiver. Announcements wait and are retried meanwhile.';
}

/** Returns the advice about a connection that failed for this reason. */
function connectionAdvice(reason: string, proxy: URL | undefined): string {
  if (/SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY)/.test(reason))
    return 'Its certificate is of an authority that is not public: set ANNOUNCE_CA to a PEM file with the certificate of the authority.';
  if (proxy)
    return 'Check HTTPS_PROXY (or HTTP_PROXY) with its user and password, and that the proxy lets this address through. If it is reached without one, name it in NO_PROXY.';
  if (/ALERT|UND_ERR_SOCKET|ECONNRESET/.test(reason))
    return 'It ended the connection. If it wants a client certificate, set ANNOUNCE_CLIENT_CERT and ANNOUNCE_CLIENT_KEY to one that it knows.';
  return 'Check ANNOUNCE_URL, and that this machine may connect to it (DNS, firewall, certificate). If only a proxy may, set HTTPS_PROXY.';
}
