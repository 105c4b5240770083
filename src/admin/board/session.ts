import { createHmac, hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createFinder } from '../../http/credentials.ts';
import { addRows, rowsOf } from '../../store/rows.ts';
import type { StoreDeps } from '../../store/schema.ts';
import type { AccessToken, Caller } from '../access.ts';

/** A browser may send several. */
export const cookiesOf = ({ headers }: FastifyRequest, name: string): readonly string[] =>
  (headers.cookie ?? '').split(/; */).flatMap((it) => (it.startsWith(`${name}=`) ? it.slice(name.length + 1) : []));

/** A time of zero seconds removes it. No script can read it, and no other site's request carries it. */
export const keepCookie = (
  reply: FastifyReply,
  name: string,
  value: string,
  seconds: number,
  more = '',
): FastifyReply =>
  reply.header('set-cookie', `${name}=${value}; Path=/board; Max-Age=${seconds}; HttpOnly; SameSite=Strict${more}`);

export const SESSION_MS = 12 * 3_600_000;

export type Sessions = ReturnType<typeof createSessions>;

/** A session is its end, signed with a key of the token: every process recognizes it, and it has the token's current roles. */
export function createSessions(tokens: readonly AccessToken[], now: () => number = Date.now) {
  const sign = (end: string, { token }: AccessToken): string => {
    const key = hash('sha256', `dockline board\n${token}`, 'buffer');
    return createHmac('sha256', key).update(end).digest('base64url');
  };
  return {
    find: createFinder(tokens, ({ token }) => token),
    open(token: AccessToken): string {
      const end = String(now() + SESSION_MS);
      return `${end}.${sign(end, token)}`;
    },
    callerOf(session: string): Caller | undefined {
      const [end = '', signature = ''] = session.split('.');
      const found = createFinder(tokens, (token) => sign(end, token))(signature);
      if (!found || Number(end) <= now()) return undefined;
      const { token: _, ...caller } = found;
      return caller;
    },
  };
}

export type EndedSessions = ReturnType<typeof createEndedSessions>;

export function createEndedSessions({ db, now }: StoreDeps) {
  return {
    async has(session: string): Promise<boolean> {
      const ended = rowsOf(db, 'ended_sessions', { session }).select('session');
      return (await ended.executeTakeFirst()) !== undefined;
    },
    /** Also forgets expired ones. */
    async add(session: string): Promise<void> {
      const row = { session, ends_at: Number.parseInt(session, 10) };
      await addRows(db, 'ended_sessions', row).execute();
      await db.deleteFrom('ended_sessions').where('ends_at', '<=', now()).execute();
    },
  };
}

const COOKIE = 'dockline-board';

export async function signedIn(
  request: FastifyRequest,
  sessions: Sessions,
  ended: EndedSessions,
): Promise<Caller | undefined> {
  for (const { session, caller } of sessionsOf(request, sessions)) if (!(await ended.has(session))) return caller;
  return undefined;
}

export const sessionsOf = (request: FastifyRequest, sessions: Sessions) =>
  cookiesOf(request, COOKIE).flatMap((session) => {
    const caller = sessions.callerOf(session);
    return caller ? [{ session, caller }] : [];
  });

export function keepSession(session: string | undefined, request: FastifyRequest, reply: FastifyReply): void {
  const secure = request.headers.origin?.startsWith('https:') ? '; Secure' : '';
  const maxAge = session === undefined ? 0 : SESSION_MS / 1000;
  keepCookie(reply, COOKIE, session ?? '', maxAge, secure);
}
