import { type DocklineError, reasonOf } from '../../domain/errors.ts';
import { type Proxies, proxyOf } from '../../http/proxies.ts';
import { TEST_TYPE } from '../announcements/test-announcement.ts';
import type { DestinationOptions } from './http-destination.ts';
import type { Advice } from './kind.ts';

/** Says what to do about a POST that failed. */
export function adviseOnPost(
  { code, status = 0, cause }: DocklineError,
  { url, headers }: Pick<DestinationOptions, 'url' | 'headers'>,
  proxies: Proxies,
): Advice {
  const proxy = proxyOf(url, proxies);
  if (code === 'ERR_DESTINATION_REFUSED')
    return {
      isWarning: true,
      advice: `Let the receiver answer 2xx to types that it does not know, such as ${TEST_TYPE}.`,
    };
  if (code === 'ERR_DESTINATION_UNREACHABLE') return { advice: connectionAdvice(reasonOf(cause), proxy) };
  const isForwarded = proxy && new URL(url).protocol === 'http:';
  const advice = answerAdvice(status, headers?.authorization !== undefined);
  return {
    advice: isForwarded ? `${advice} Over plain http the answer may be the proxy's: check HTTP_PROXY.` : advice,
  };
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
  if (/^HTTPParserError|^UND_ERR_(HEADERS_OVERFLOW|RES_CONTENT_LENGTH_MISMATCH)/.test(reason))
    return 'It answered, but not as HTTP demands (RFC 9112), such as with two lengths: see the receiver, and what is before it.';
  if (/ALERT|UND_ERR_SOCKET|ECONNRESET/.test(reason))
    return 'It ended the connection. If it wants a client certificate, set ANNOUNCE_CLIENT_CERT and ANNOUNCE_CLIENT_KEY to one that it knows.';
  return 'Check ANNOUNCE_URL, and that this machine may connect to it (DNS, firewall, certificate). If only a proxy may, set HTTPS_PROXY.';
}
