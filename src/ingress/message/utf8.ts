import { UnreadableJson } from '../../base/json-shape.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8 and drops a byte order mark. @throws UnreadableJson for other bytes */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new UnreadableJson(isGzip(bytes) ? 'compressed with gzip; let it be sent without' : 'not UTF-8');
  }
}

/** Reports whether bytes begin as gzip does (RFC 1952). */
const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b;
