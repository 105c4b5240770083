import { promisify } from 'node:util';
import { brotliDecompress, unzip } from 'node:zlib';
import type { Dispatcher } from 'undici';

/** Its message completes "answered …". */
export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody';
}

/** Servers and proxies may compress nevertheless (RFC 9110, 12.5.3). */
export const UNCOMPRESSED = { 'accept-encoding': 'identity' } as const;

const decoders = new Map([
  ['gzip', promisify(unzip)],
  ['deflate', promisify(unzip)],
  ['br', promisify(brotliDecompress)],
]);

/** Returns the whole body, without its `Content-Encoding`. Throws `UnreadableBody` for more bytes than the limit, before or after. */
export async function readBody(
  { headers, body }: Pick<Dispatcher.ResponseData, 'headers' | 'body'>,
  limit: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const tooLarge = () => new UnreadableBody(`more than ${limit} bytes`);
  if (Number(headers['content-length']) > limit) {
    body.destroy();
    throw tooLarge();
  }
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return await decompress(Buffer.concat(chunks), headers['content-encoding'], limit);
}

async function decompress(bytes: Buffer, contentEncoding: string | string[] | undefined, limit: number) {
  const coding = String(contentEncoding ?? 'identity').toLowerCase();
  if (coding === 'identity') return bytes;
  const decode = decoders.get(coding);
  if (!decode) throw new UnreadableBody('compressed in a way that is not known');
  try {
    return await decode(bytes, { maxOutputLength: limit });
  } catch (cause) {
    throw new UnreadableBody(`compressed with ${coding}, which cannot be undone within ${limit} bytes`, { cause });
  }
}

/** By the charset that its type names, or UTF-8. Throws `UnreadableBody`. */
export function decodeText(bytes: Buffer, contentType: string): string {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([\w.:+-]{1,40})/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new UnreadableBody(`with bytes that are not ${charset}`, { cause });
  }
}
