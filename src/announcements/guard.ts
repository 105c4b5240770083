import { isIPv4, isIPv6 } from 'node:net';
import { buildConnector } from 'undici';
import { DocklineError } from '../domain/errors.ts';
import { isLoopback } from '../domain/loopback.ts';
import { createAddressList } from '../http/address-list.ts';

/** Decides whether a connection to this address may carry an announcement. */
type Guard = (address: string) => boolean;

const loopbackRanges = ['127.0.0.0/8', '::1/128'];

/** Internal IPv4 addresses (IANA special-purpose registry), and Azure's metadata server, which is in none of these ranges. */
const internalRanges4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/3',
  '168.63.129.16/32',
];

/** All of IPv6 except global unicast (2000::/3), and the ranges of that which embed an IPv4 address: Teredo and 6to4. */
const internalRanges6 = ['::/3', '4000::/2', '8000::/1', '2001::/32', '2002::/16'];

/**
 * Creates the guard of a destination. It refuses internal addresses that `allowedAddresses` (addresses or CIDR ranges) does not
 * list; a URL that names loopback may reach only loopback and the listed addresses. The configuration has checked both.
 */
export function createGuard(url: string, allowedAddresses: readonly string[]): Guard {
  const isLocal = isLoopback(new URL(url).hostname);
  const allowed = createAddressList(isLocal ? [...allowedAddresses, ...loopbackRanges] : allowedAddresses);
  // Two lists, because a BlockList also compares an IPv4 address with IPv6 ranges, as a mapped address.
  const internal4 = createAddressList(internalRanges4);
  const internal6 = createAddressList(internalRanges6);

  return (address) => {
    if (isIPv4(address)) return allowed.check(address) || !(isLocal || internal4.check(address));
    if (isIPv6(address)) return allowed.check(address, 'ipv6') || !(isLocal || internal6.check(address, 'ipv6'));
    return false;
  };
}

/**
 * Creates a connector that connects over TCP, has the guard check the address actually reached, and only then sends TLS or HTTP.
 * A DNS hook would not see literal addresses, and a second lookup could answer differently from the first. Fails with
 * `ERR_DESTINATION_ADDRESS`.
 */
export function createGuardedConnector(
  guard: Guard,
  options: buildConnector.BuildOptions = {},
): buildConnector.connector {
  const connect = buildConnector({ ...options, allowH2: false });

  return (target, callback) => {
    const { hostname, protocol } = target;
    const port = target.port || (protocol === 'https:' ? '443' : '80');
    connect({ hostname, port, protocol: 'http:' }, (error, socket) => {
      if (error) return callback(error, null);
      const address = socket.remoteAddress ?? 'an address unknown';
      if (guard(address)) {
        return protocol === 'https:' ? connect({ ...target, httpSocket: socket }, callback) : callback(null, socket);
      }
      socket.destroy();
      callback(new DocklineError('ERR_DESTINATION_ADDRESS', `${hostname} is at ${address}, which is internal`), null);
    });
  };
}
