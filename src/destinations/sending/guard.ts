import { lookup as findAddresses, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, isIPv4, isIPv6, type LookupFunction } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { buildConnector } from 'undici';
import { isLoopback } from '../../base/loopback.ts';
import { DocklineError } from '../../domain/errors.ts';
import { createAddressList } from '../../http/address-list.ts';
import { embeddedIn, translationsIn } from './translated-address.ts';

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

/** All of IPv6 except global unicast (2000::/3), and Teredo, which hides an IPv4 address in that. */
const internalRanges6 = ['::/3', '4000::/2', '8000::/1', '2001::/32'];

/** Servers that hand a machine its credentials: of AWS, Azure, Google, Oracle, DigitalOcean, of containers there, Alibaba and Tencent. */
const metadata: ReadonlySet<string> = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.0.23',
  '168.63.129.16',
  '192.0.0.192',
  '100.100.100.200',
]);

/**
 * Creates the guard of a destination. It refuses internal addresses that `allowedAddresses` (addresses or CIDR ranges) does not
 * list; a URL that names loopback may reach only loopback and the listed addresses. The configuration has checked both. IPv6 that stands for
 * an IPv4 address is judged as that, whatever range holds it, unless it is listed itself.
 */
export function createGuard(url: string, allowedAddresses: readonly string[]): Guard {
  const isLocal = isLoopback(new URL(url).hostname);
  const allowed = isLocal ? [...allowedAddresses, ...loopbackRanges] : allowedAddresses;
  // Lists apart, because a BlockList also compares an IPv4 address with IPv6 ranges, as a mapped address.
  const allowed4 = createAddressList(allowed.filter((range) => !range.includes(':')));
  const allowed6 = createAddressList(allowed.filter((range) => range.includes(':')));
  const listed6 = createAddressList(allowed.filter((range) => range.includes(':') && !range.includes('/')));
  const internal4 = createAddressList(internalRanges4);
  const internal6 = createAddressList(internalRanges6);

  const isOpen4 = (address: string) => allowed4.check(address) || !(isLocal || internal4.check(address));
  return (address) => {
    if (isIPv4(address)) return isOpen4(address);
    if (!isIPv6(address)) return false;
    if (listed6.check(address, 'ipv6')) return true;
    const embedded = embeddedIn(address);
    if (embedded !== undefined) return isOpen4(embedded);
    if (translationsIn(address).some((it) => metadata.has(it))) return false;
    return allowed6.check(address, 'ipv6') || !(isLocal || internal6.check(address, 'ipv6'));
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
      callback(refusal(hostname, address), null);
    });
  };
}

/** Finds all addresses of a name, as Node's `lookup` does. */
export type FindAddresses = (
  name: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/**
 * Creates the look-up of a socket that may reach a host, for clients that open their sockets themselves. Fails with
 * `ERR_DESTINATION_ADDRESS`, at once for a literal address, which sockets do not look up. They connect to what it returns, without
 * another look-up.
 */
export function guardedLookup(guard: Guard, hostname: string, find: FindAddresses = findAddresses): LookupFunction {
  if (isIP(hostname) && !guard(hostname)) throw refusal(hostname, hostname);
  return (name, options, callback) =>
    find(name, { ...options, all: true }, (error, found) => {
      const refused = found?.find(({ address }) => !guard(address));
      const [first] = found ?? [];
      if (error || refused || !first) callback(error ?? refusal(name, refused?.address ?? ''), '', 0);
      else if (options.all) callback(null, found);
      else callback(null, first.address, first.family);
    });
}

const refusal = (hostname: string, address: string): DocklineError =>
  new DocklineError('ERR_DESTINATION_ADDRESS', `${hostname} is at ${address}, which is internal`);

/** Time for the addresses of a name, in milliseconds. A network that has a proxy may not know the names outside. */
const LOOKUP_MS = 2000;

/**
 * Creates the check of a host that a proxy is asked for, and of nothing else: a name that is not known here in time is left to the proxy,
 * whose decision it is which address is reached. It fails with `ERR_DESTINATION_ADDRESS` if one of the addresses that are known is refused.
 */
export function createHostCheck(guard: Guard, resolve: Resolve = (name) => lookup(name, { all: true })) {
  return async (hostname: string): Promise<void> => {
    const name = hostname.replaceAll(/^\[|\]$/g, '');
    const unknown = delay(LOOKUP_MS, [], { ref: false });
    const known = await Promise.race([resolve(name).catch(() => []), unknown]);
    const refused = known.find(({ address }) => !guard(address));
    if (refused) throw refusal(hostname, refused.address);
  };
}

/** Returns the addresses of a host, a literal one included. */
type Resolve = (name: string) => Promise<readonly { readonly address: string }[]>;
