import { createSign, generateKeyPairSync } from 'node:crypto';

/** Key that signs deliveries. */
export type SigningKey = ReturnType<typeof createSigningKey>;

const generate = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

/** First key of every simulator of this process, since a key takes some 50 ms of CPU. */
let first: ReturnType<typeof generate> | undefined;

/** Creates an RSA key. */
export function createSigningKey() {
  first ??= generate();
  let key = first;
  return {
    /** Returns the Base64 of RSA-SHA256 (PKCS#1 v1.5) over the bytes. */
    sign: (bytes: Buffer) => createSign('RSA-SHA256').update(bytes).sign(key.privateKey, 'base64'),
    publicKey: () => key.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    /** Replaces the key; earlier signatures no longer verify. */
    rotate: () => {
      key = generate();
    },
  };
}
