import { createMatcher, readCredentials } from '../../http/credentials.ts';
import { defineScheme, oneOrSeveral, secret } from './scheme.ts';

/** Shared secret as `?token=` or `Authorization: Bearer`. If several are sent, each has to be right. */
export const token = defineScheme({
  settings: { token: oneOrSeveral(secret) },
  challenge: 'Bearer realm="webhook"',
  createVerifier({ token: tokens }) {
    const isAccepted = createMatcher(tokens);
    return async ({ header, url }) => {
      const bearer = readCredentials('Bearer', header('authorization'));
      const offered = [...queryOf(url).getAll('token'), ...(bearer ? [bearer] : [])];
      return offered.length > 0 && offered.every(isAccepted) ? 'authentic' : 'refused';
    };
  },
});

const queryOf = (url: string): URLSearchParams => new URLSearchParams(/\?(.*)$/s.exec(url)?.[1]);
