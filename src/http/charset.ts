import { MIMEType, promisify } from 'node:util';
import { brotliDecompress, gunzip, unzip, zstdDecompress } from 'node:zlib';
import type { Dispatcher } from 'undici';

/** Its message completes "answered …". */
export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody';
}

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
  const coding = String(contentEncoding ?? '')
    .trim()
    .toLowerCase();
  if (coding === '' || coding === 'identity') return bytes;
  const decode = decoders.get(coding);
  if (!decode) throw new UnreadableBody('compressed in a way that is not known');
  try {
    return await decode(bytes, { maxOutputLength: limit });
  } catch (cause) {
    throw new UnreadableBody(`compressed with ${coding}, which cannot be undone within ${limit} bytes`, { cause });
  }
}

/** Byte order marks say more than a header (WHATWG Encoding, "decode"). */
const marks = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
] as const;

/** Decoders read ASCII as Windows-1252. */
const ASCII = /^(?:us-?ascii|ansi_x3\.4-1968|iso-?646-us|iso-ir-6)$/i;

/** By the charset, else UTF-8, UTF-16 if every other byte is zero, or Windows-1252. Throws `UnreadableBody`. */
export function decodeText(bytes: Buffer, contentType: string | undefined): string {
  const said = markOf(bytes) ?? charsetIn(contentType);
  const charset = said ?? unmarkedOf(bytes);
  const text = decode(bytes, charset) ?? (said === undefined ? decode(bytes, 'windows-1252') : undefined);
  if (text === undefined || (ASCII.test(charset) && bytes.some((byte) => byte > 0x7f)))
    throw new UnreadableBody(`with bytes that are not ${shown(charset)}`);
  return text;
}

const markOf = (bytes: Buffer): string | undefined =>
  marks.find(([, mark]) => bytes.subarray(0, mark.length).equals(mark))?.[0];

/** Charset of JSON that says none (RFC 4627, section 3). */
const unmarkedOf = ([first, second]: Buffer): string =>
  first === 0 && second !== 0 ? 'utf-16be' : first !== 0 && second === 0 ? 'utf-16le' : 'utf-8';

function charsetIn(contentType = ''): string | undefined {
  try {
    return new MIMEType(contentType).params.get('charset')?.trim() || undefined;
  } catch {
    return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
  }
}

function decode(bytes: Buffer, charset: string): string | undefined {
  const decoder = decoderOf(charset);
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function decoderOf(charset: string): { decode(bytes: Buffer): string } {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch (cause) {
    throw new UnreadableBody(`in the charset ${shown(charset)}, which is not known`, { cause });
  }
}

const shown = (charset: string): string => charset.replace(/[^\w.:+-].*/s, '').slice(0, 40);
