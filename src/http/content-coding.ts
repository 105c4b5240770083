import { promisify } from 'node:util';
import { brotliDecompress, gunzip, unzip, zstdDecompress } from 'node:zlib';

/** Servers and proxies may compress nevertheless (RFC 9110, 12.5.3). */
export const UNCOMPRESSED = { 'accept-encoding': 'identity' } as const;

type Decoder = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const decoders = new Map<string, Decoder>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(unzip)],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
]);

/** Undoes a `Content-Encoding`. Throws an Error that completes "answered …" for an unknown or broken coding, and for too many bytes. */
export async function decompress(
  bytes: Buffer,
  contentEncoding: string | string[] | undefined,
  limit: number,
): Promise<Buffer> {
  const coding = String(contentEncoding ?? '')
    .trim()
    .toLowerCase();
  if (coding === '' || coding === 'identity') return bytes;
  const decode = decoders.get(coding);
  if (!decode) throw new Error('compressed in a way that is not known');
  try {
    return await decode(bytes, { maxOutputLength: limit });
  } catch (cause) {
    throw new Error(`compressed with ${coding}, which cannot be undone within ${limit} bytes`, { cause });
  }
}
