import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

/** The id goes with what it encrypts; the secret has 256 bits. */
export interface EncryptionKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** The first encrypts, all decrypt. */
export type EncryptionKeys = readonly [EncryptionKey, ...EncryptionKey[]];

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type Sealing = ReturnType<typeof createSealing>;

/**
 * Nobody reads or changes a sealed text without a key, or puts it in the place of another. AES-256-GCM: the id of the key, a zero byte,
 * 12 random bytes, the tag, the ciphertext.
 */
export function createSealing(keys: EncryptionKeys) {
  return {
    seal(text: string, place: string): Buffer {
      const [{ id, key }] = keys;
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
      return Buffer.concat([Buffer.from(`${id}\0`), nonce, cipher.getAuthTag(), sealed]);
    },

    /** Undefined if the text was changed, or its key is not known. */
    open(sealed: Uint8Array, place: string): string | undefined {
      const bytes = Buffer.from(sealed);
      const end = bytes.indexOf(0);
      const known = keys.find(({ id }) => id === bytes.subarray(0, end).toString());
      if (!known) return undefined;
      const rest = bytes.subarray(end + 1);
      try {
        const decipher = createDecipheriv(CIPHER, known.key, rest.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        })
          .setAAD(Buffer.from(place))
          .setAuthTag(rest.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([decipher.update(rest.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString();
      } catch {
        return undefined;
      }
    },
  };
}
