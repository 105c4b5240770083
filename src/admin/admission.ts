import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../domain/loopback.ts';
import { createMatcher, readCredentials } from '../http/credentials.ts';
import { Problem } from '../http/problem.ts';
import type { SignIns } from '../http/sign-ins.ts';

/** Lets a request pass, or throws the Problem that refuses it. */
export type Admission = (request: FastifyRequest) => void;

/** Admits who shows the token as `Authorization: Bearer`, which is compared in constant time; 429 for who shows many wrong ones. */
export function admitByToken(token: string, signIns: SignIns): Admission {
  const isToken = createMatcher([token]);
  return ({ ip, headers }) => {
    const offered = readCredentials('Bearer', headers.authorization);
    if (offered === undefined || !signIns.isRight(ip, () => isToken(offered)))
      throw new Problem(401, 'The bearer token is missing or wrong.');
  };
}

/**
 * Admits what runs on this machine, but no web page that a browser on it shows: a page sends its origin, or has to be served under
 * a name that was made to lead here.
 */
export const admitPrograms: Admission = ({ headers, hostname }) => {
  if (headers.origin !== undefined || !isLoopback(hostname)) {
    throw new Problem(403, 'Without ADMIN_TOKEN only programs on this machine are admitted, by a name of loopback.');
  }
};
