import type { KeyObject } from 'node:crypto';

/** The id that what it encrypts carries, and the 256-bit secret. */
export interface EncryptionKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** The first encrypts, all decrypt. */
export type EncryptionKeys = readonly [EncryptionKey, ...EncryptionKey[]];
