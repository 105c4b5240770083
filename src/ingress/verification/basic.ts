import { z } from 'zod';
import { oneOrSeveral } from '../../forms/forms.ts';
import { createMatcher, readCredentials } from '../../http/credentials.ts';
import { decidedByHead, defineScheme, secret } from './scheme.ts';

/** RFC 7617, in UTF-8, for one user. */
export const basic = defineScheme({
  verifies: 'HTTP Basic',
  settings: {
    /** A user name ends at the first colon. */
    user: z
      .string()
      .regex(/^[^:\p{Cc}]+$/u, 'must be a name without a colon')
      .describe('basic: the user.'),
    password: oneOrSeveral(secret).describe('basic: the password, or several while one is replaced.'),
  },
  challenge: 'Basic realm="webhook", charset="UTF-8"',
  ...decidedByHead(({ user, password }: { readonly user: string; readonly password: readonly string[] }) => {
    // Encoded credentials are compared: there is one encoding of each, and nothing received has to be decoded.
    const isAccepted = createMatcher(password.map((one) => Buffer.from(`${user}:${one}`).toString('base64')));
    return ({ header }) => {
      const credentials = readCredentials('Basic', header('authorization'));
      return credentials !== undefined && isAccepted(credentials);
    };
  }),
});
