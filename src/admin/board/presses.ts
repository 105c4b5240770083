import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../base/logger.ts';
import type { Problem } from '../../http/problem.ts';
import { listAddress, ownAddress } from './addresses.ts';

/** Time that a button waits for what it began before its page answers, in milliseconds. */
const PATIENCE_MS = 500;

/** Creates the answers to buttons: what takes longer goes on behind its page, which says so. */
export function createPresses(app: FastifyInstance, { logger }: { readonly logger: Pick<Logger, 'warn'> }) {
  const open = new Set<Promise<unknown>>();
  // What they use must not be closed before.
  app.addHook('onClose', async () => void (await Promise.allSettled(open)));
  return async (
    request: FastifyRequest,
    run: () => Promise<{ readonly address: string | undefined }>,
  ): Promise<string> => {
    const running = run();
    open.add(running);
    const ended = running.finally(() => open.delete(running));
    ended.catch(() => undefined);
    const done = await Promise.race([ended, wait(PATIENCE_MS, undefined, { ref: false })]);
    if (done) return done.address ?? '/board';
    // The audit log has how it ends, and the page shows it.
    ended.catch((err: unknown) => logger.warn({ err }, 'an action failed after its page had answered'));
    return pageOf(request, { done: 'under-way' }) ?? '/board';
  };
}

/** Returns the address of the page on which a button was pressed, with fields in its query; undefined if it is none of the board. */
function pageOf({ headers }: FastifyRequest, fields: Readonly<Record<string, string>> = {}): string | undefined {
  const { referer = '', host } = headers;
  if (!URL.canParse(referer) || new URL(referer).host !== host) return undefined;
  const { pathname, searchParams } = new URL(referer);
  if (ownAddress(pathname) !== pathname || pathname === '/board/sign-in') return undefined;
  searchParams.delete('done');
  return listAddress(pathname, { ...Object.fromEntries(searchParams), ...fields });
}

/** Cookie with which the next page says why an action was not done. */
const COOKIE = 'dockline-problem';

/** Characters of a problem that a page shows. */
const LONGEST = 500;

const keep = (value: string, seconds: number): string =>
  `${COOKIE}=${value}; Path=/board; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;

/** Returns to the page where a button was pressed, which says why it did nothing; false if that is not known. */
export function sayOnPage(request: FastifyRequest, reply: FastifyReply, { message }: Problem): boolean {
  const page = request.method === 'POST' ? pageOf(request) : undefined;
  if (page === undefined) return false;
  const text = Buffer.from(message.slice(0, LONGEST)).toString('base64url');
  reply.header('set-cookie', keep(text, 60)).redirect(page, 303);
  return true;
}

/** Takes the problem that a page is to say; undefined if there is none, and for what is no page of its own. */
export function takeProblem({ headers, method }: FastifyRequest, reply: FastifyReply): string | undefined {
  const [, text] = new RegExp(`(?:^|; *)${COOKIE}=([\\w-]+)`).exec(headers.cookie ?? '') ?? [];
  if (text === undefined || method !== 'GET' || (headers['sec-fetch-dest'] ?? 'document') !== 'document')
    return undefined;
  reply.header('set-cookie', keep('', 0));
  return Buffer.from(text, 'base64url').toString().slice(0, LONGEST);
}
