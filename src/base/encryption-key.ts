import type { KeyObject } from 'node:crypto';

/** The id goes with what it encrypts; the secret has 256 bits. */
export interface EncryptionKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** The first encrypts, all decrypt. */
export type EncryptionKeys = readonly [EncryptionKey, ...EncryptionKey[]];
