import { type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { createPublicKeySource } from './public-key-source.ts';
import { defineScheme } from './scheme.ts';

/**
 * The warehouse's own scheme: RSA-SHA256 (PKCS#1 v1.5) over the raw bytes, in base64 in the `Signature` header. The warehouse
 * publishes the key, which is fetched again when a signature fails, since the key may have been rotated.
 */
export const rsaSha256 = defineScheme({
  settings: {},
  createHeadCheck:
    () =>
    ({ header }) =>
      decodeSignature(header('signature') ?? '') !== undefined,
  createVerifier(_settings, context) {
    const keys = createPublicKeySource(context);
    const isSigned = createSignatureCheck();
    return async ({ header, body }) => {
      const signature = decodeSignature(header('signature') ?? '');
      if (!signature) return 'refused';
      const cached = keys.current();
      if (cached && (await isSigned(body, signature, cached))) return 'authentic';
      const newest = await keys.newest();
      if (!newest) return 'undecided';
      if (newest === cached) return 'refused';
      return (await isSigned(body, signature, newest)) ? 'authentic' : 'refused';
    };
  },
});

/** Decodes canonical base64; undefined for any other text. */
function decodeSignature(text: string): Buffer | undefined {
  const signature = Buffer.from(text, 'base64');
  return text && signature.toString('base64') === text ? signature : undefined;
}

type SignatureCheck = (body: Buffer, signature: Buffer, key: KeyObject) => Promise<boolean>;

/** Maximum size of a body that is verified faster on the main thread than by handing it to another. */
const SMALL_BYTES = 16_384;

const verifyInPool = promisify(verify);

/**
 * Verifies the first small body of each turn of the event loop synchronously, so that a lone delivery waits for no thread, and all
 * others in the thread pool, so that the main thread can read other requests. The padding of an RSA key defaults to PKCS#1 v1.5.
 */
function createSignatureCheck(): SignatureCheck {
  let isFirst = true;
  return async (body, signature, key) => {
    if (!isFirst || body.byteLength > SMALL_BYTES) return await verifyInPool('sha256', body, key, signature);
    isFirst = false;
    setImmediate(() => {
      isFirst = true;
    });
    return verify('sha256', body, key, signature);
  };
}
