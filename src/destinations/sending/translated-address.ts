/** Bytes of an IPv6 address at which each translation of an IPv4 address has its four: RFC 6052 for prefixes of any length, and 6to4 (RFC 3056). */
const PLACES = [
  [4, 5, 6, 7],
  [5, 6, 7, 9],
  [6, 7, 9, 10],
  [7, 9, 10, 11],
  [9, 10, 11, 12],
  [12, 13, 14, 15],
  [2, 3, 4, 5],
] as const;

/**
 * IPv6 that stands for an IPv4 address, with its groups written out: mapped (RFC 4291), NAT64 (RFC 6052; of the networks for local use,
 * RFC 8215, those in which the address comes last) and 6to4 (RFC 3056).
 */
const EMBEDDED =
  /^(?:(?:0000:){5}ffff|0064:ff9b(?::0000){4}|0064:ff9b:0001:....:0000:0000):(..)(..):(..)(..)$|^2002:(..)(..):(..)(..):/;

/** Returns the IPv4 address for which one of IPv6 stands; undefined for every other one. */
export function embeddedIn(address: string): string | undefined {
  const bytes = EMBEDDED.exec(groupsOf(address).join(':'))?.slice(1).filter(Boolean);
  return bytes?.map((byte) => Number.parseInt(byte, 16)).join('.');
}

/** Returns every IPv4 address for which one of IPv6 would stand, if its network translated it; the last is that of Teredo (RFC 4380). */
export function translationsIn(address: string): readonly string[] {
  const bytes = groupsOf(address).flatMap((group) => [...Buffer.from(group, 'hex')]);
  const teredo = bytes.slice(12).map((byte) => byte ^ 0xff);
  return [...PLACES.map((place) => place.map((index) => bytes[index]).join('.')), teredo.join('.')];
}

/** Returns the eight groups of an IPv6 address, each with four digits. */
function groupsOf(address: string): readonly string[] {
  // A URL writes every address alike, in groups without an IPv4 address at the end. It has no zone.
  const { hostname = '' } = URL.parse(`http://[${address.replace(/%.*/s, '')}]`) ?? {};
  const [first = [], last = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(8 - first.length - last.length).fill('0');
  return [...first, ...zeros, ...last].map((group) => group.padStart(4, '0'));
}
