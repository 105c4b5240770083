import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { oneOrSeveral } from '../../forms/forms.ts';
import { HEADER_NAME } from '../../forms/header-forms.ts';
import { createMatcher } from '../../http/credentials.ts';
import { defineScheme, secret } from './scheme.ts';

/** HMAC-SHA256 over the raw bytes, in a header of any name: in hexadecimal of either case or base64, after a prefix such as `sha256=`. */
export const hmacSha256 = defineScheme({
  verifies: 'an HMAC over the body in a header',
  settings: {
    secret: oneOrSeveral(secret).describe(
      'hmac-sha256 (as text) and standard-webhooks (whsec_ and base64): the signing secret, or several while one is replaced.',
    ),
    /** Verifiers look headers up in lower case. */
    header: z
      .string()
      .regex(HEADER_NAME, "must be a header's name")
      .toLowerCase()
      .describe('hmac-sha256: the header with the signature.'),
    encoding: z
      .enum(['hex', 'base64'])
      .default('hex')
      .describe('hmac-sha256: the encoding of the signature, hex or base64.'),
    prefix: z
      .string()
      .regex(/^[\x21-\x7e]*$/, 'must be of printable characters without spaces')
      .default('')
      .describe('hmac-sha256: the text before the signature in its header, such as sha256=.'),
  },
  createHeadCheck({ header: name, encoding, prefix }) {
    const form = encoding === 'hex' ? /^([\da-f]{64}|[\dA-F]{64})$/ : /^[\w+/]{43}=$/;
    return ({ header }) => {
      const offered = header(name);
      return offered?.startsWith(prefix) === true && form.test(offered.slice(prefix.length));
    };
  },
  createVerifier:
    ({ secret: secrets, header: name, encoding, prefix }) =>
    async ({ header, body }) => {
      const offered = header(name);
      if (offered === undefined) return 'refused';
      const signatures = secrets.map((one) => createHmac('sha256', one).update(body).digest(encoding));
      const written = encoding === 'hex' ? signatures.flatMap((one) => [one, one.toUpperCase()]) : signatures;
      return createMatcher(written.map((one) => prefix + one))(offered) ? 'authentic' : 'refused';
    },
});
