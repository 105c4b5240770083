import { isIPv4, isIPv6 } from 'node:net';
import { isLoopback } from '../domain/loopback.ts';
import { createAddressList } from '../http/address-list.ts';

/** Decides whether a connection to this address may carry an announcement. */
export type Guard = (address: string) => boolean;

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
