import { hash, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../base/logger.ts';
import type { Problem } from '../../http/problem.ts';
import { listAddress, ownAddress } from './addresses.ts';
import type { AssetAddresses } from './assets.ts';
import { sourceOf } from './html.ts';
import { layout, type Page, type PageContext, type Surroundings } from './layout.ts';
import { cookiesOf, keepCookie } from './session.ts';

/** Then the page answers though the action goes on. */
const PATIENCE_MS = 500;

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

export function sayOnPage(request: FastifyRequest, reply: FastifyReply, { message }: Problem): boolean {
  const page = request.method === 'POST' ? pageOf(request) : undefined;
  if (page === undefined) return false;
  const text = Buffer.from(message.slice(0, LONGEST)).toString('base64url');
  keepCookie(reply, COOKIE, text, 60).redirect(page, 303);
  return true;
}

/** Undefined also for requests that load no document. */
function takeProblem(request: FastifyRequest, reply: FastifyReply): string | undefined {
  const { headers, method } = request;
  const [text = ''] = cookiesOf(request, COOKIE);
  if (text === '' || method !== 'GET' || (headers['sec-fetch-dest'] ?? 'document') !== 'document') return undefined;
  keepCookie(reply, COOKIE, '', 0);
  return Buffer.from(text, 'base64url').toString().slice(0, LONGEST);
}

const compress = promisify(gzip);

const headers = {
  'content-security-policy': [
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'",
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const;

export const protect = (reply: FastifyReply): void => void reply.headers(headers);

/** Equal values make equal pages, but for ages. */
export interface LivePage {
  readonly values: object;
  make(now: number): Page;
}

export const livePage = <Values extends object>(
  make: (values: Values & { readonly now: number }) => Page,
  values: Values,
): LivePage => ({ values, make: (now) => make({ ...values, now }) });

/** An attachment, so that no browser interprets it. */
export const sendFile = (reply: FastifyReply, name: string, bytes: Uint8Array): FastifyReply =>
  reply
    .type('application/octet-stream')
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}"`)
    .send(Buffer.from(bytes));

export type Respond = (reply: FastifyReply, page: Page | LivePage, around?: Surroundings) => Promise<FastifyReply>;

export function createResponder(
  assets: AssetAddresses,
  describeReader: (
    request: FastifyRequest,
  ) => Pick<PageContext, 'isAdmitted' | 'signedInAs' | 'operator' | 'environment'>,
): Respond {
  const compressed = new WeakMap<Page | LivePage, Map<string, Promise<Buffer>>>();
  // Another process may run another version, whose pages differ.
  const salt = randomUUID();

  function render(page: Page | LivePage, around: Omit<PageContext, 'assets'>): string {
    return sourceOf(layout('values' in page ? page.make(Date.now()) : page, { assets, ...around }));
  }

  function renderOnce(page: Page | LivePage, around: Omit<PageContext, 'assets'>): Promise<Buffer> {
    const known = compressed.get(page) ?? new Map<string, Promise<Buffer>>();
    compressed.set(page, known);
    const key = JSON.stringify(around);
    const rendered = known.get(key) ?? compress(render(page, around));
    known.set(key, rendered);
    return rendered;
  }

  return async (reply, page, known = {}) => {
    const { request } = reply;
    const search = (request.query as { readonly q?: unknown }).q;
    const problem = takeProblem(request, reply);
    const shown = {
      ...known,
      ...describeReader(request),
      ...(typeof search === 'string' && { search }),
      ...(problem !== undefined && { problem }),
    };
    reply.headers({ 'cache-control': 'no-store', vary: 'accept-encoding' });
    const version =
      'values' in page ? `W/"${hash('sha256', JSON.stringify([salt, page.values, shown]), 'base64url')}"` : undefined;
    if (version !== undefined) {
      reply.header('etag', version);
      if (request.headers['if-none-match'] === version) return reply.code(304).send();
    }
    const around = { ...shown, version };
    reply.type('text/html; charset=utf-8');
    if (!request.headers['accept-encoding']?.includes('gzip')) return reply.send(render(page, around));
    return reply.header('content-encoding', 'gzip').send(await renderOnce(page, around));
  };
}
