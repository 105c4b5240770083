import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLoopback } from '../../domain/loopback.ts';
import { Problem } from '../../http/problem.ts';
import type { Caller } from '../access.ts';
import { SESSION_MS, type Sessions } from './session.ts';

/** Name of the cookie that holds a session. */
const COOKIE = 'dockline-board';

/**
 * Refuses requests that a page of another origin sends: all that change something, and reading by anything but navigation. Browsers
 * leave `Sec-Fetch-Site` out for plain http beyond loopback; then the origin has to be the address itself.
 */
export function refuseOtherOrigins({ method, headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  const isReading = method === 'GET' || method === 'HEAD';
  const isOwn =
    site === undefined
      ? (isReading && headers.origin === undefined) || isOrigin(headers.origin, headers.host)
      : site === 'same-origin' || (isReading && (site === 'none' || headers['sec-fetch-mode'] === 'navigate'));
  if (!isOwn) throw new Problem(403, 'The request came from a page of another site.');
}

const isOrigin = (origin: string | undefined, host: string | undefined): boolean =>
  origin !== undefined && (origin === `https://${host}` || origin === `http://${host}`);

/** Refuses names that are not this machine's: without a token, they may have been made to lead here. */
export function refuseOtherNames({ hostname }: FastifyRequest): void {
  if (!isLoopback(hostname)) throw new Problem(403, 'Without ADMIN_TOKEN the board opens by a name of loopback only.');
}

/** Returns whose open session a request belongs to. */
export function signedIn({ headers }: FastifyRequest, sessions: Sessions): Caller | undefined {
  const cookies = (headers.cookie ?? '').split(/; */).filter((cookie) => cookie.startsWith(`${COOKIE}=`));
  for (const cookie of cookies) {
    const caller = sessions.callerOf(cookie.slice(COOKIE.length + 1));
    if (caller) return caller;
  }
  return undefined;
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

/** Returns an address of the board that a reader asked for, or that of its first page. */
export function ownAddress(asked: unknown): string {
  if (typeof asked !== 'string' || !URL.canParse(asked, 'http://board')) return '/board';
  const { origin, pathname, search } = new URL(asked, 'http://board');
  return origin === 'http://board' && /^\/board(\/|$)/.test(pathname) ? pathname + search : '/board';
}
