import { type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { readTextFile } from '../../forms/files.ts';
import { oneOrSeveral } from '../../forms/forms.ts';
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
  },
  createHeadCheck:
    () =>
    ({ header }) =>
      decodeSignature(header('signature') ?? '') !== undefined,
  createVerifier({ publicKey }, context) {
    const source = publicKey ? pinKeys(publicKey) : createPublicKeySource(context);
    return async ({ header, body }) => {
      const signature = decodeSignature(header('signature') ?? '');
      if (!signature) return 'refused';
      const isSignedWith = async (keys: readonly KeyObject[]) => {
        for (const key of keys) if (await verifyInPool('sha256', body, key, signature)) return true;
        return false;
      };
      const known = source.keys();
      if (await isSignedWith(known)) return 'authentic';
      const isLatest = await source.lookUp();
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

/** Beside the main thread. The padding defaults to PKCS#1 v1.5. */
const verifyInPool = promisify(verify);
