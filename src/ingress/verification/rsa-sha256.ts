import { type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { createPublicKeySource } from './public-key-source.ts';
import type { Verifier } from './verifier.ts';

/**
 * A verifier of the `Signature` header: RSA-SHA256 (PKCS#1 v1.5) in base64 over the raw bytes, with the warehouse's
 * public key, which is fetched once more when a signature fails, as after a rotation.
 */
export function createRsaVerifier(options: {
  readonly baseUrl: string;
  /** The shortest time between two fetches of the key, in milliseconds: bad signatures must not become a flood of fetches. */
  readonly refetchAfterMs?: number;
  readonly now?: () => number;
}): Verifier {
  const keys = createPublicKeySource(options);
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
}

/** The bytes of base64 that is written in the one way that its encoder would; undefined for all else. */
function decodeSignature(text: string): Buffer | undefined {
  const signature = Buffer.from(text, 'base64');
  return text && signature.toString('base64') === text ? signature : undefined;
}

type SignatureCheck = (body: Buffer, signature: Buffer, key: KeyObject) => Promise<boolean>;

/** Up to how many bytes a body is verified in less time than it takes to have another thread do it. */
const SMALL_BYTES = 16_384;

const verifyBeside = promisify(verify);

/**
 * Checks the first small body of each turn of the event loop at once, so that a delivery that comes alone does not wait for a thread,
 * and all else beside the main thread, which has other requests to read meanwhile. The padding of an RSA key is PKCS#1 v1.5 where
 * none is named.
 */
function createSignatureCheck(): SignatureCheck {
  let isFirst = true;
  return async (body, signature, key) => {
    if (!isFirst || body.byteLength > SMALL_BYTES) return await verifyBeside('sha256', body, key, signature);
    isFirst = false;
    setImmediate(() => {
      isFirst = true;
    });
    return verify('sha256', body, key, signature);
  };
}
