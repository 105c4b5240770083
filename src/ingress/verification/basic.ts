import { createMatcher } from '../../http/credentials.ts';
import type { Verifier } from './verifier.ts';

/** A verifier by HTTP Basic (RFC 7617, in UTF-8) for one user; any of the passwords will do. */
export function createBasicVerifier({
  user,
  password,
}: {
  readonly user: string;
  readonly password: readonly string[];
}): Verifier {
  // Compared as they are encoded: there is one way to write them, and nothing that is sent needs decoding.
  const isAccepted = createMatcher(password.map((one) => Buffer.from(`${user}:${one}`).toString('base64')));
  return async ({ header }) => {
    const [, credentials] = /^Basic +(\S+) *$/i.exec(header('authorization') ?? '') ?? [];
    return credentials !== undefined && isAccepted(credentials) ? 'authentic' : 'refused';
  };
}
