import { createSign, generateKeyPairSync } from 'node:crypto';

/** Key that signs deliveries. */
export interface SigningKey {
  /** Returns the Base64 of RSA-SHA256 (PKCS#1 v1.5) over the bytes. */
  sign(bytes: Buffer): string;
  publicKey(): string;
  /** Replaces the key; earlier signatures no longer verify. */
  rotate(): void;
}

/** Generates an RSA key. */
export function createSigningKey(): SigningKey {
  const generate = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
  let key = generate();
  return {
    sign: (bytes) => createSign('RSA-SHA256').update(bytes).sign(key.privateKey, 'base64'),
    publicKey: () => key.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    rotate: () => {
      key = generate();
    },
  };
}
