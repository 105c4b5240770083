import { createHash, createHmac } from 'node:crypto';
import { createMatcher } from '../../http/credentials.ts';

/** Sessions of readers who have shown the token. */
export interface Sessions {
  /** Reports whether somebody who offers this token may sign in. */
  isToken(offered: string): boolean;
  /** Makes the value of a new session. It does not reveal the token. */
  open(): string;
  /** Reports whether a session is one of ours and has not expired. */
  isOpen(session: string): boolean;
}

/** Duration of a session, in milliseconds: a working day. */
export const SESSION_MS = 12 * 3_600_000;

/** Creates sessions that every process with the token recognizes, also after a restart: the time of their end, signed. */
export function createSessions(token: string, now: () => number = Date.now): Sessions {
  const key = createHash('sha256').update(`dockline board\n${token}`).digest();
  const sign = (end: string): string => createHmac('sha256', key).update(end).digest('base64url');
  return {
    isToken: createMatcher([token]),
    open() {
      const end = String(now() + SESSION_MS);
      return `${end}.${sign(end)}`;
    },
    isOpen(session) {
      const [end = '', signature = ''] = session.split('.');
      return createMatcher([sign(end)])(signature) && Number(end) > now();
    },
  };
}
