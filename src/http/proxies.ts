import { BlockList, isIP, isIPv6 } from 'node:net';
import { isLoopback } from '../base/loopback.ts';

export interface Proxies {
  /** Also for https without a proxy of its own. */
  readonly HTTP_PROXY?: string | undefined;
  readonly HTTPS_PROXY?: string | undefined;
  /** Names with what is below them, addresses, ranges, or `*`; each name or address also with a port. */
  readonly NO_PROXY: readonly string[];
}

/** Undefined for direct requests, as those to loopback always are. */
export function proxyOf(address: string | URL, proxies: Proxies | undefined): URL | undefined {
  const { protocol, hostname, port } = new URL(address);
  const proxy = (protocol === 'https:' && proxies?.HTTPS_PROXY) || proxies?.HTTP_PROXY;
  if (!proxies || !proxy || isLoopback(hostname)) return undefined;
  const host = hostname.replaceAll(/^\[|\]$|\.$/g, '');
  const usedPort = port || (protocol === 'https:' ? '443' : '80');
  return proxies.NO_PROXY.some((entry) => isNamed(host, usedPort, entry)) ? undefined : new URL(proxy);
}

/** A range names those addresses that are written as such. */
function isNamed(host: string, port: string, entry: string): boolean {
  const [, name = entry, onlyPort = port] = (!isIPv6(entry) && /^\[?(.+?)\]?(?::(\d+))?$/.exec(entry)) || [];
  if (onlyPort !== port) return false;
  if (name === '*') return true;
  if (isIP(host)) return isIP(name.replace(/\/.*/, '')) > 0 && createAddressList([name])(host);
  const domain = name.toLowerCase().replaceAll(/^\*?\.|\.$/g, '');
  return host.endsWith(`.${domain}`) || (host === domain && !name.startsWith('*'));
}

export const throughProxy = (proxy: URL | undefined): string => (proxy ? ` through the proxy ${proxy.origin}` : '');

export function createAddressList(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const [family, bits] = isIPv6(address) ? (['ipv6', 128] as const) : (['ipv4', 32] as const);
    list.addSubnet(address, Number(prefix ?? bits), family);
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
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
  const isProxy = createAddressList(ranges);
  return (element) => {
    const address = addressIn(element);
    return isIP(address) > 0 && isProxy(address);
  };
}

/** Of an IPv6 address: eight, each with four digits; zeros for any other text. */
export function groupsOf(address: string): readonly string[] {
  // A URL writes every address alike, in groups without an IPv4 address at the end. It has no zone.
  const { hostname = '' } = URL.parse(`http://[${address.replace(/%.*/s, '')}]`) ?? {};
  const [first = [], last = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(8 - first.length - last.length).fill('0');
  return [...first, ...zeros, ...last].map((group) => group.padStart(4, '0'));
}
