import { createSign, generateKeyPairSync } from 'node:crypto';

/** Key that signs deliveries. */
export type SigningKey = ReturnType<typeof createSigningKey>;

/** Generates an RSA key. */
export function createSigningKey() {
  const generate = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
  let key = generate();
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
