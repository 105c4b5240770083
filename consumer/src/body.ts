/**
 * Body of a request: its bytes, or the text as which a gateway hands it to a function, plain or in base64. Null and undefined are a body
 * of no bytes.
 */
export type RequestBody = Uint8Array | ArrayBuffer | string | null | undefined;

/** Returns the bytes of a body. Throws a `TypeError` for one that was parsed: its bytes are lost. */
export function bytesOf(body: RequestBody): Uint8Array {
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (typeof body === 'string') return Buffer.from(body, isBase64(body) ? 'base64' : 'utf8');
  if (body === null || body === undefined) return new Uint8Array();
  throw new TypeError('the body must be the bytes as they came, or their text: keep your framework from parsing it');
}

/** An announcement is a JSON object, which no base64 looks like. The signature tells whether the bytes are right. */
const isBase64 = (text: string): boolean => /^[A-Za-z0-9+/]+={0,2}$/.test(text.trim());
