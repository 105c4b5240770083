import { BlockList, isIPv6 } from 'node:net';

/** Creates a list of addresses and of ranges in the notation of CIDR. */
export function createAddressList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const [family, bits] = isIPv6(address) ? (['ipv6', 128] as const) : (['ipv4', 32] as const);
    list.addSubnet(address, Number(prefix ?? bits), family);
  }
  return list;
}
