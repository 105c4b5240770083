import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Minimum size of an RSA key: smaller ones can be factored (NIST SP 800-131A). */
const MINIMUM_BITS = 2048;

/** Parses an RSA public key in PEM. @throws Error for any other text, and for a key of fewer than 2,048 bits */
export function parsePublicKey(pem: string): KeyObject {
  const key = createPublicKey(pem);
  if (key.asymmetricKeyType !== 'rsa') throw new Error('the key is not an RSA key');
  const { modulusLength: bits = 0 } = key.asymmetricKeyDetails ?? {};
  if (bits < MINIMUM_BITS) throw new Error(`the RSA key has ${bits} bits; at least ${MINIMUM_BITS} are required`);
  return key;
}

/** Form of a public key: PEM, also with `\n` for its line breaks, or the path of a file that contains it. Parsed, it is PEM. */
export const publicKeyForm = z.string().transform((given, { issues }) => {
  try {
    const pem = given.includes('-----BEGIN') ? given.replaceAll('\\n', '\n') : readFileSync(given, 'utf8');
    parsePublicKey(pem);
    return pem;
  } catch (error) {
    const message = `must be an RSA public key in PEM, or a file that has one: ${(error as Error).message}`;
    issues.push({ code: 'custom', message, input: given });
    return z.NEVER;
  }
});
