import { BlockList, isIP, isIPv6 } from 'node:net';

export function createAddressList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const [family, bits] = isIPv6(address) ? (['ipv6', 128] as const) : (['ipv4', 32] as const);
    list.addSubnet(address, Number(prefix ?? bits), family);
  }
  return list;
}

/** Some proxies write an element of `X-Forwarded-For` in quotes, in brackets or with a port. */
export function addressIn(element: string): string {
  const bare = element.replaceAll('"', '').trim();
  if (isIP(bare)) return bare;
  const [, six, four] = /^(?:\[([^[\]]*)\]|([\d.]*))(?::\d*)?$/.exec(bare) ?? [];
  return six ?? four ?? bare;
}

/** Fastify's `trustProxy`: it asks of each address, from the connection's on, whether it is a proxy. */
export function trustIn(ranges: readonly string[]): false | ((element: string) => boolean) {
  if (ranges.length === 0) return false;
  const proxies = createAddressList(ranges);
  return (element) => {
    const address = addressIn(element);
    return isIP(address) > 0 && proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  };
}
