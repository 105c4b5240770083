import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { needs } from '../access.ts';

const own = (name: string): Buffer => readFileSync(new URL(`./assets/${name}`, import.meta.url));

const style = ['tokens', 'base', 'frame', 'parts', 'pages'].map((part) => own(`style/${part}.css`));

const files = {
  'board.css': ['text/css; charset=utf-8', Buffer.concat(style)],
  'board.js': ['text/javascript; charset=utf-8', own('board.js')],
  'icon.svg': ['image/svg+xml', own('icon.svg')],
  'inter.woff2': ['font/woff2', own('font/inter.woff2')],
  'plex-mono.woff2': ['font/woff2', own('font/plex-mono.woff2')],
  'idiomorph.js': [
    'text/javascript; charset=utf-8',
    readFileSync(new URL(import.meta.resolve('idiomorph/dist/idiomorph.min.js'))),
  ],
} as const;

type Name = keyof typeof files;

export type AssetAddresses = Readonly<Record<Name, string>>;

/** Compressed once. Public: the sign-in page needs them. */
export function serveAssets(app: FastifyInstance): AssetAddresses {
  const version = hash('sha256', Buffer.concat(Object.values(files).map(([, content]) => content)), 'base64url').slice(
    0,
    10,
  );
  const addresses = Object.entries(files).map(([name, [type, content]]) => {
    const compressed = type.startsWith('font/') ? undefined : gzipSync(content, { level: 9 });
    app.get(`/assets/${version}/${name}`, needs.none, ({ headers }, reply) => {
      reply.type(type).header('cache-control', 'public, max-age=31536000, immutable').header('vary', 'accept-encoding');
      if (!compressed || !headers['accept-encoding']?.includes('gzip')) return reply.send(content);
      return reply.header('content-encoding', 'gzip').send(compressed);
    });
    return [name, `/board/assets/${version}/${name}`];
  });
  return Object.fromEntries(addresses) as AssetAddresses;
}
