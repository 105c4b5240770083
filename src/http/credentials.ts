import { hash, timingSafeEqual } from 'node:crypto';

/** The duration reveals neither a secret nor which of them matched. */
export function createMatcher(accepted: readonly string[]): (offered: string) => boolean {
  const digests = accepted.map(digest);
  return (offered) => {
    const candidate = digest(offered);
    return digests.map((one) => timingSafeEqual(one, candidate)).includes(true);
  };
}

export function createFinder<T>(
  items: readonly T[],
  secretOf: (item: T) => string,
): (offered: string) => T | undefined {
  const known = items.map((item) => ({ item, matches: createMatcher([secretOf(item)]) }));
  return (offered) => known.filter(({ matches }) => matches(offered))[0]?.item;
}

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

const forms = { Bearer: /^Bearer +(\S+) *$/i, Basic: /^Basic +(\S+) *$/i };

export function readCredentials(scheme: keyof typeof forms, authorization: string | undefined): string | undefined {
  return forms[scheme].exec(authorization ?? '')?.[1];
}
