import { createHash, timingSafeEqual } from 'node:crypto';
import type { Verifier } from './verifier.ts';

/** A verifier by a shared secret, sent as `?token=` or `Authorization: Bearer`; compared in constant time. */
export function createTokenVerifier({ token }: { readonly token: string }): Verifier {
  const expected = digest(token);
  return async ({ headers, query }) => {
    const [, bearer] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
    const offered = [...query.getAll('token'), ...(bearer ? [bearer] : [])];
    return offered.some((candidate) => timingSafeEqual(digest(candidate), expected)) ? 'authentic' : 'refused';
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
