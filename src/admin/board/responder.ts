import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AssetAddresses } from './assets.ts';
import { sourceOf } from './html.ts';
import { layout, type Page, type Surroundings } from './layout.ts';

const compress = promisify(gzip);

/** Headers of every answer of the board: it loads nothing from elsewhere, nobody frames it, and nothing keeps it. */
const headers = {
  'content-security-policy': [
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'",
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const;

/** Adds the headers that protect the board. */
export const protect = (reply: FastifyReply): void => void reply.headers(headers);

/** Answers requests with pages. */
export type Respond = (request: FastifyRequest, reply: FastifyReply, page: Page) => Promise<FastifyReply>;

/** Creates the answers with pages, which differ by their reader. */
export function createResponder(
  assets: AssetAddresses,
  describeReader: (request: FastifyRequest) => Pick<Surroundings, 'isAdmitted' | 'signedInAs'>,
): Respond {
  const compressed = new WeakMap<Page, Map<string, Promise<Buffer>>>();
  const render = (page: Page, around: Omit<Surroundings, 'assets'>) => sourceOf(layout(page, { assets, ...around }));

  /** Boards that show the same page share one rendering of it. */
  function renderOnce(page: Page, around: Omit<Surroundings, 'assets'>): Promise<Buffer> {
    const known = compressed.get(page) ?? new Map<string, Promise<Buffer>>();
    compressed.set(page, known);
    const key = JSON.stringify(around);
    const rendered = known.get(key) ?? compress(render(page, around));
    known.set(key, rendered);
    return rendered;
  }

  return async (request, reply, page) => {
    const search = (request.query as { readonly q?: unknown }).q;
    const around = { ...describeReader(request), ...(typeof search === 'string' && { search }) };
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').header('vary', 'accept-encoding');
    if (!request.headers['accept-encoding']?.includes('gzip')) return reply.send(render(page, around));
    return reply.header('content-encoding', 'gzip').send(await renderOnce(page, around));
  };
}
