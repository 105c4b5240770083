import { createHmac, hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createFinder } from '../../http/credentials.ts';
import type { AccessToken, Caller } from '../access.ts';

/** Sessions of readers who have shown a token. */
export interface Sessions {
  /** Returns the token that somebody offers to sign in with; undefined if it is none of ours. */
  find(offered: string): AccessToken | undefined;
  /** Makes the value of a new session. It does not reveal the token. */
  open(token: AccessToken): string;
  /** Returns whose session it is; undefined if it is none of ours, or has expired. */
  callerOf(session: string): Caller | undefined;
}

/** Duration of a session, in milliseconds: a working day. */
export const SESSION_MS = 12 * 3_600_000;

/**
 * Creates sessions that every process with the token recognizes, also after a restart: the time of their end, signed with a key of the
 * token. So a session has the roles that its token has now, and ends with it.
 */
export function createSessions(tokens: readonly AccessToken[], now: () => number = Date.now): Sessions {
  const sign = (end: string, { token }: AccessToken): string => {
    const key = hash('sha256', `dockline board\n${token}`, 'buffer');
    return createHmac('sha256', key).update(end).digest('base64url');
  };
  return {
    find: createFinder(tokens, ({ token }) => token),
    open(token) {
      const end = String(now() + SESSION_MS);
      return `${end}.${sign(end, token)}`;
    },
    callerOf(session) {
      const [end = '', signature = ''] = session.split('.');
      const found = createFinder(tokens, (token) => sign(end, token))(signature);
      if (!found || Number(end) <= now()) return undefined;
      const { token: _, ...caller } = found;
      return caller;
    },
  };
}

/** Name of the cookie that holds a session. */
const COOKIE = 'dockline-board';

/** Returns whose open session a request belongs to. */
export function signedIn({ headers }: FastifyRequest, sessions: Sessions): Caller | undefined {
  const cookies = (headers.cookie ?? '').split(/; */).filter((cookie) => cookie.startsWith(`${COOKIE}=`));
  return cookies
    .map((cookie) => sessions.callerOf(cookie.slice(COOKIE.length + 1)))
    .find((caller) => caller !== undefined);
}

/** Stores a session in the reader's browser, or removes it. No script can read it, and no other site's request carries it. */
export function keepSession(session: string | undefined, request: FastifyRequest, reply: FastifyReply): void {
  const secure = request.headers.origin?.startsWith('https:') ? '; Secure' : '';
  const maxAge = session === undefined ? 0 : SESSION_MS / 1000;
  reply.header(
    'set-cookie',
    `${COOKIE}=${session ?? ''}; Path=/board; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`,
  );
}
