import { createSign, generateKeyPairSync } from 'node:crypto';

/** The key that deliveries are signed with. */
export interface SigningKey {
  /** Base64 of RSA-SHA256 (PKCS#1 v1.5) over the bytes. */
  sign(bytes: Buffer): string;
  publicKey(): string;
  /** Replaces the key; what was signed before no longer verifies. */
  rotate(): void;
}

/** Makes a fresh RSA key. */
export function createSigningKey(): SigningKey {
  let key = generateKey();
  return {
    sign: (bytes) => createSign('RSA-SHA256').update(bytes).sign(key.privateKey, 'base64'),
    publicKey: () => key.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    rotate: () => {
      key = generateKey();
    },
  };
}

function generateKey() {
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}
