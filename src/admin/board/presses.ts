import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../base/logger.ts';
import type { Problem } from '../../http/problem.ts';
import { listAddress, ownAddress } from './addresses.ts';
import { cookiesOf, keepCookie } from './cookies.ts';

/** Then the page answers though the action goes on. */
const PATIENCE_MS = 500;

/** A long action goes on after its page has answered, and the page says so. */
export function createPresses(app: FastifyInstance, { logger }: { readonly logger: Pick<Logger, 'warn'> }) {
  const open = new Set<Promise<unknown>>();
  // The store must not close before they end.
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

/** With these fields; undefined if it is none of the board. */
function pageOf({ headers }: FastifyRequest, fields: Readonly<Record<string, string>> = {}): string | undefined {
  const { referer = '', host } = headers;
  if (!URL.canParse(referer) || new URL(referer).host !== host) return undefined;
  const { pathname, searchParams } = new URL(referer);
  if (ownAddress(pathname) !== pathname || pathname === '/board/sign-in') return undefined;
  searchParams.delete('done');
  return listAddress(pathname, { ...Object.fromEntries(searchParams), ...fields });
}

const COOKIE = 'dockline-problem';

const LONGEST = 500;

/** The page says why nothing was done; false if it is not known. */
export function sayOnPage(request: FastifyRequest, reply: FastifyReply, { message }: Problem): boolean {
  const page = request.method === 'POST' ? pageOf(request) : undefined;
  if (page === undefined) return false;
  const text = Buffer.from(message.slice(0, LONGEST)).toString('base64url');
  keepCookie(reply, COOKIE, text, 60).redirect(page, 303);
  return true;
}

/** Undefined also for requests that load no document. */
export function takeProblem(request: FastifyRequest, reply: FastifyReply): string | undefined {
  const { headers, method } = request;
  const [text = ''] = cookiesOf(request, COOKIE);
  if (text === '' || method !== 'GET' || (headers['sec-fetch-dest'] ?? 'document') !== 'document') return undefined;
  keepCookie(reply, COOKIE, '', 0);
  return Buffer.from(text, 'base64url').toString().slice(0, LONGEST);
}
