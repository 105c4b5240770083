import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { needs } from '../access.ts';

/** Files that pages load, with their media types. */
const files = {
  'board.css': ['text/css; charset=utf-8', new URL('./assets/board.css', import.meta.url)],
  'board.js': ['text/javascript; charset=utf-8', new URL('./assets/board.js', import.meta.url)],
  'icon.svg': ['image/svg+xml', new URL('./assets/icon.svg', import.meta.url)],
  'idiomorph.js': ['text/javascript; charset=utf-8', new URL(import.meta.resolve('idiomorph/dist/idiomorph.min.js'))],
} as const;

type Name = keyof typeof files;

/** Addresses of the files; each contains a hash of its content, so that browsers may keep it for good. */
export type AssetAddresses = Readonly<Record<Name, string>>;

/** Serves the files, compressed once, and returns their addresses. They are no secret: the sign-in page needs them. */
export function serveAssets(app: FastifyInstance): AssetAddresses {
  const addresses = Object.entries(files).map(([name, [type, path]]) => {
    const content = readFileSync(path);
    const compressed = gzipSync(content, { level: 9 });
    const version = hash('sha256', content, 'base64url').slice(0, 10);
    app.get(`/assets/${version}/${name}`, needs.none, ({ headers }, reply) => {
      reply.type(type).header('cache-control', 'public, max-age=31536000, immutable').header('vary', 'accept-encoding');
      if (!headers['accept-encoding']?.includes('gzip')) return reply.send(content);
      return reply.header('content-encoding', 'gzip').send(compressed);
    });
    return [name, `/board/assets/${version}/${name}`];
  });
  return Object.fromEntries(addresses) as AssetAddresses;
}
