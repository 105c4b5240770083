import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../domain/loopback.ts';
import { createFinder, readCredentials } from '../http/credentials.ts';
import { Problem } from '../http/problem.ts';
import type { SignIns } from '../http/sign-ins.ts';
import { type AccessToken, type Caller, localCaller } from './access.ts';

/** Returns the caller of a request, or throws the Problem that refuses it. */
export type Admission = (request: FastifyRequest) => Caller;

/** Admits who shows a token as `Authorization: Bearer`, which is compared in constant time; 429 for who shows many wrong ones. */
export function admitByToken(tokens: readonly AccessToken[], signIns: SignIns): Admission {
  const find = createFinder(tokens, ({ token }) => token);
  return ({ ip, headers }) => {
    const offered = readCredentials('Bearer', headers.authorization);
    const found = offered === undefined ? undefined : signIns.check(ip, () => find(offered));
    if (found) return found;
    throw new Problem(401, 'The bearer token is missing or wrong.');
  };
}

/**
 * Admits what runs on this machine, but no web page that a browser on it shows: a page sends its origin or its site, or has to be served
 * under a name that was made to lead here.
 */
export const admitPrograms: Admission = ({ headers, hostname }) => {
  const isOfPage = headers.origin !== undefined || /^(cross|same)-site$/.test(String(headers['sec-fetch-site']));
  if (!isOfPage && isLoopback(hostname)) return localCaller;
  throw new Problem(403, 'Without ADMIN_TOKEN only programs on this machine are admitted, by a name of loopback.');
};
