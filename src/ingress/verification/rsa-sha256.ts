import { type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { readTextFile } from '../../forms/files.ts';
import { duration, oneOrSeveral } from '../../forms/forms.ts';
import { createPublicKeySource, parsePublicKey, pinKeys } from './public-key-source.ts';
import { defineScheme } from './scheme.ts';

/** PEM, also with `\n` for its line breaks, or the path of such a file. Parsed, it is PEM. */
const publicKeyForm = z.string().transform((given, { issues }) => {
  try {
    const pem = given.includes('-----BEGIN') ? given.replaceAll('\\n', '\n') : readTextFile(given);
    parsePublicKey(pem);
    return pem;
  } catch (error) {
    const message = `must be an RSA public key in PEM, or a file that has one: ${(error as Error).message}`;
    issues.push({ code: 'custom', message, input: given });
    return z.NEVER;
  }
});

/**
 * The warehouse's own scheme: RSA-SHA256 (PKCS#1 v1.5) over the raw bytes, in base64 in `Signature`. The key is pinned,
 * or looked up, again when a signature fails, since it may have been rotated.
 */
export const rsaSha256 = defineScheme({
  verifies: "the warehouse's own signature, by an RSA key of at least 2,048 bits",
  settings: {
    publicKey: oneOrSeveral(publicKeyForm)
      .optional()
      .describe(
        'rsa-sha256: accepted public keys, as PEM or the path of a file. Default: the one that the warehouse publishes at the path `webhookKey`.',
      ),
    keyGraceMs: duration()
      .default(21_600_000)
      .describe(
        'rsa-sha256: time, in milliseconds, for which the previous key of the warehouse stays good after a rotation; 0 refuses it at once, as after a theft.',
      ),
    keyMaxAgeMs: duration()
      .default(86_400_000)
      .describe("rsa-sha256: age at which the warehouse's key is looked up again, in milliseconds."),
  },
  createHeadCheck:
    () =>
    ({ header }) =>
      decodeSignature(header('signature') ?? '') !== undefined,
  createVerifier({ publicKey, keyGraceMs: graceMs, keyMaxAgeMs: maxAgeMs }, context) {
    const source = publicKey ? pinKeys(publicKey) : createPublicKeySource({ ...context, graceMs, maxAgeMs });
    const isSigned = createSignatureCheck();
    return async ({ header, body }) => {
      const signature = decodeSignature(header('signature') ?? '');
      if (!signature) return 'refused';
      const isSignedWith = async (keys: readonly KeyObject[]) => {
        for (const key of keys) if (await isSigned(body, signature, key)) return true;
        return false;
      };
      const renewal = source.renew();
      const isRenewed = renewal !== undefined && (await renewal);
      const known = source.keys();
      if (await isSignedWith(known)) return 'authentic';
      const isLatest = isRenewed || (await source.lookUp());
      if (await isSignedWith(source.keys().filter((key) => !known.includes(key)))) return 'authentic';
      if (isLatest) return 'refused';
      return known.length > 0 ? 'unrecognized' : 'undecided';
    };
  },
});

/** Undefined unless it is canonical base64. */
function decodeSignature(text: string): Buffer | undefined {
  const signature = Buffer.from(text, 'base64');
  return text && signature.toString('base64') === text ? signature : undefined;
}

/** Larger bodies are verified faster in another thread. */
const SMALL_BYTES = 16_384;

const verifyInPool = promisify(verify);

/**
 * Verifies the first small body of each turn of the event loop synchronously, so that a lone delivery waits for no
 * thread, and all others in the thread pool. The padding defaults to PKCS#1 v1.5.
 */
function createSignatureCheck() {
  let isFirst = true;
  return async (body: Buffer, signature: Buffer, key: KeyObject): Promise<boolean> => {
    if (!isFirst || body.byteLength > SMALL_BYTES) return await verifyInPool('sha256', body, key, signature);
    isFirst = false;
    setImmediate(() => {
      isFirst = true;
    });
    return verify('sha256', body, key, signature);
  };
}
