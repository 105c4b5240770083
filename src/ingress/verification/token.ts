import { createMatcher, readCredentials } from '../../http/credentials.ts';
import { decidedByHead, defineScheme, type HeadCheck, oneOrSeveral, secret } from './scheme.ts';

/** Shared secret as `?token=` or `Authorization: Bearer`. If several are sent, each has to be right. */
export const token = defineScheme({
  settings: { token: oneOrSeveral(secret) },
  challenge: 'Bearer realm="webhook"',
  ...decidedByHead(createCheck),
});

function createCheck({ token: tokens }: { readonly token: readonly string[] }): HeadCheck {
  const isAccepted = createMatcher(tokens);
  return ({ header, url }) => {
    const bearer = readCredentials('Bearer', header('authorization'));
    const offered = [...queryOf(url).getAll('token'), ...(bearer ? [bearer] : [])];
    return offered.length > 0 && offered.every(isAccepted);
  };
}

const queryOf = (url: string): URLSearchParams => new URLSearchParams(/\?(.*)$/s.exec(url)?.[1]);
