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
