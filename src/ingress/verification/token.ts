import { createMatcher } from '../../http/credentials.ts';
import type { Verifier } from './verifier.ts';

/** A verifier by a shared secret, sent as `?token=` or `Authorization: Bearer`; what is sent beside a right one must be right too. */
export function createTokenVerifier({ token }: { readonly token: readonly string[] }): Verifier {
  const isAccepted = createMatcher(token);
  return async ({ header, url }) => {
    const [, bearer] = /^Bearer +(\S+) *$/i.exec(header('authorization') ?? '') ?? [];
    const offered = [...queryOf(url).getAll('token'), ...(bearer ? [bearer] : [])];
    return offered.length > 0 && offered.every(isAccepted) ? 'authentic' : 'refused';
  };
}

const queryOf = (url: string): URLSearchParams => new URLSearchParams(/\?(.*)$/s.exec(url)?.[1]);
