import { createHmac } from 'node:crypto';
import { createMatcher } from '../../http/credentials.ts';
import type { Verifier } from './verifier.ts';

/**
 * A verifier of HMAC-SHA256 over the raw bytes, as it stands in a header: hexadecimal digits in either case, or base64, after a
 * prefix such as `sha256=`. The secrets are text; any of them will do.
 */
export function createHmacVerifier({
  secret,
  header: name,
  encoding,
  prefix,
}: {
  readonly secret: readonly string[];
  /** In lower case. */
  readonly header: string;
  readonly encoding: 'hex' | 'base64';
  readonly prefix: string;
}): Verifier {
  return async ({ header, body }) => {
    const offered = header(name);
    if (offered === undefined) return 'refused';
    const signatures = secret.map((one) => createHmac('sha256', one).update(body).digest(encoding));
    const written = encoding === 'hex' ? signatures.flatMap((one) => [one, one.toUpperCase()]) : signatures;
    return createMatcher(written.map((one) => prefix + one))(offered) ? 'authentic' : 'refused';
  };
}
