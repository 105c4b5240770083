import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Entry } from '../domain/entry.ts';

const gzipAsync = promisify(gzip);

/** Minimum size of a body that is worth gzipping, in bytes. */
const LARGE_BYTES = 65_536;

/** Gzips a large body beside the main thread, if that makes it smaller. */
export async function compress(entry: Entry): Promise<Entry> {
  const uncompressedBytes = entry.body.byteLength;
  if (uncompressedBytes < LARGE_BYTES) return entry;
  const body = await gzipAsync(entry.body, { level: 1 });
  return body.byteLength < uncompressedBytes ? { ...entry, body, uncompressedBytes } : entry;
}
