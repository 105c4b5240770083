import { z } from 'zod';
import { oneOrSeveral } from '../../forms/forms.ts';
import { createMatcher, readCredentials } from '../../http/credentials.ts';
import { decidedByHead, defineScheme, secret } from './scheme.ts';

/** Shared secret as `?token=` or `Authorization: Bearer`. If several are sent, each has to be right. */
export const token = defineScheme({
  verifies: '?token= or a bearer token',
  settings: {
    token: oneOrSeveral(secret).describe(
      'token: the value of ?token= or of a bearer token, or several while one is replaced.',
    ),
  },
  challenge: 'Bearer realm="webhook"',
  ...decidedByHead(({ token: tokens }: { readonly token: readonly string[] }) => {
    const isAccepted = createMatcher(tokens);
    return ({ header, url }) => {
      const bearer = readCredentials('Bearer', header('authorization'));
      // A token has no blanks, for which a plus stands in a query.
      const query = new URLSearchParams(/\?(.*)/s.exec(url)?.[1]?.replaceAll('+', '%2B'));
      const offered = [...query.getAll('token'), ...(bearer ? [bearer] : [])];
      return offered.length > 0 && offered.every(isAccepted);
    };
  }),
});

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
