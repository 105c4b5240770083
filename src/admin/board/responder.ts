import { hash, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AssetAddresses } from './assets.ts';
import { sourceOf } from './html.ts';
import { layout, type Page, type PageContext, type Surroundings } from './layout.ts';

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
  // Another process may run another version, whose pages differ.
  const salt = randomUUID();

  return async (reply, page, known = {}) => {
    const { request } = reply;
    const search = (request.query as { readonly q?: unknown }).q;
    const shown = {
      ...known,
      ...describeReader(request),
      ...(typeof search === 'string' && { search }),
    };
    reply.headers({ 'cache-control': 'no-store', vary: 'accept-encoding' });
    const version =
      'values' in page ? `W/"${hash('sha256', JSON.stringify([salt, page.values, shown]), 'base64url')}"` : undefined;
    if (version !== undefined) {
      reply.header('etag', version);
      if (request.headers['if-none-match'] === version) return reply.code(304).send();
    }
    const made = 'values' in page ? page.make(Date.now()) : page;
    const text = sourceOf(layout(made, { assets, ...shown, version }));
    reply.type('text/html; charset=utf-8');
    if (!request.headers['accept-encoding']?.includes('gzip')) return reply.send(text);
    return reply.header('content-encoding', 'gzip').send(await compress(text));
  };
}
