import { isIP, isIPv4, isIPv6, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { buildConnector } from 'undici';
import { isLoopback, withoutBrackets } from '../base/loopback.ts';
import { DocklineError } from '../domain/errors.ts';
import { asLookup, connecting, type FindAddresses, findAddresses } from './lookup.ts';
import { createAddressList, groupsOf } from './proxies.ts';

type Guard = (address: string) => boolean;

const loopbackRanges = ['127.0.0.0/8', '::1/128'];

/** IANA special-purpose registry, and Azure's metadata server, which is in none of these ranges. */
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

/** All but global unicast (2000::/3), and Teredo, which hides an IPv4 address in that. */
const internalRanges6 = ['::/3', '4000::/2', '8000::/1', '2001::/32'];

/** They hand a machine its credentials: AWS, Azure, Google, Oracle, DigitalOcean, containers there, Alibaba and Tencent. */
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
 * Refuses internal addresses, this machine's current ones included, that are not listed. A URL that names loopback may reach only loopback
 * and the listed ones. IPv6 that stands for IPv4 is judged as that, unless it is listed itself.
 */
export function createGuard(url: string, allowedAddresses: readonly string[], own = ownAddresses): Guard {
  const isLocal = isLoopback(new URL(url).hostname);
  const allowed = isLocal ? [...allowedAddresses, ...loopbackRanges] : allowedAddresses;
  // Lists apart, because a BlockList also compares an IPv4 address with IPv6 ranges, as a mapped address.
  const isAllowed4 = createAddressList(allowed.filter((range) => !range.includes(':')));
  const isAllowed6 = createAddressList(allowed.filter((range) => range.includes(':')));
  const isListed6 = createAddressList(allowed.filter((range) => range.includes(':') && !range.includes('/')));
  const isInternal4 = createAddressList(internalRanges4);
  const isInternal6 = createAddressList(internalRanges6);

  const isOwn = (address: string) => createAddressList(own())(address);
  const isOpen4 = (address: string) => isAllowed4(address) || !(isLocal || isInternal4(address) || isOwn(address));
  return (address) => {
    if (isIPv4(address)) return isOpen4(address);
    if (!isIPv6(address)) return false;
    if (isListed6(address)) return true;
    const embedded = embeddedIn(address);
    if (embedded !== undefined) return isOpen4(embedded);
    if (translationsIn(address).some((it) => metadata.has(it))) return false;
    return isAllowed6(address) || !(isLocal || isInternal6(address) || isOwn(address));
  };
}

const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);

/** Checks the address actually reached, before TLS or HTTP: a DNS hook sees no literal ones, and a second look-up may differ. */
export function createGuardedConnector(
  guard: Guard,
  options: buildConnector.BuildOptions = {},
): buildConnector.connector {
  const connect = buildConnector({ ...connecting, ...options, allowH2: false });

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

/** For clients that open their sockets themselves. Throws at once for a literal address, which sockets do not look up. */
export function guardedLookup(guard: Guard, hostname: string, find: FindAddresses = findAddresses): LookupFunction {
  if (isIP(hostname) && !guard(hostname)) throw refusal(hostname, hostname);
  return asLookup(async (name) => admitted(guard, name, await find(name)));
}

function admitted(guard: Guard, hostname: string, found: Awaited<ReturnType<FindAddresses>>) {
  const refused = found.find(({ address }) => !guard(address));
  if (refused) throw refusal(hostname, refused.address);
  return found;
}

const refusal = (hostname: string, address: string): DocklineError =>
  new DocklineError('ERR_DESTINATION_ADDRESS', `${hostname} is at ${address}, which is internal`);

/** A network with a proxy may not know the names outside. */
const LOOKUP_MS = 2000;

/** For a host that a proxy is asked for: an unknown name is left to the proxy. */
export function createHostCheck(guard: Guard, find: FindAddresses = findAddresses) {
  return async (hostname: string): Promise<void> => {
    const unknown = delay(LOOKUP_MS, [], { ref: false });
    admitted(
      guard,
      hostname,
      await Promise.race([find(withoutBrackets(hostname), EVERY_ADDRESS).catch(() => []), unknown]),
    );
  };
}

/** Also of families that this machine has no address of. */
const EVERY_ADDRESS = 0;

/** Where translations put the four bytes of an IPv4 address: RFC 6052 for prefixes of any length, and 6to4 (RFC 3056). */
const PLACES = [
  [4, 5, 6, 7],
  [5, 6, 7, 9],
  [6, 7, 9, 10],
  [7, 9, 10, 11],
  [9, 10, 11, 12],
  [12, 13, 14, 15],
  [2, 3, 4, 5],
] as const;

/** Groups written out: mapped (RFC 4291), NAT64 (RFC 6052; for local use, RFC 8215, those with the address last) and 6to4 (RFC 3056). */
const EMBEDDED =
  /^(?:(?:0000:){5}ffff|0064:ff9b(?::0000){4}|0064:ff9b:0001:....:0000:0000):(..)(..):(..)(..)$|^2002:(..)(..):(..)(..):/;

function embeddedIn(address: string): string | undefined {
  const bytes = EMBEDDED.exec(groupsOf(address).join(':'))?.slice(1).filter(Boolean);
  return bytes?.map((byte) => Number.parseInt(byte, 16)).join('.');
}

/** Every IPv4 address that a translating network would see; the last is Teredo's (RFC 4380). */
function translationsIn(address: string): readonly string[] {
  const bytes = groupsOf(address).flatMap((group) => [...Buffer.from(group, 'hex')]);
  const teredo = bytes.slice(12).map((byte) => byte ^ 0xff);
  return [...PLACES.map((place) => place.map((index) => bytes[index]).join('.')), teredo.join('.')];
}
