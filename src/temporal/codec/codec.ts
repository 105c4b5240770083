import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { METADATA_ENCODING_KEY, type Payload, type PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import type { EncryptionKey, EncryptionKeys } from '../../base/sealing.ts';

const { Payload: PayloadMessage } = proto.temporal.api.common.v1;

/** As in Temporal's samples, so that their tools read it. */
const ENCODING = 'binary/encrypted';
const METADATA_KEY_ID = 'encryption-key-id';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Names the key and nothing of the payload. */
export class CodecError extends Error {
  override readonly name = 'CodecError';
}

/**
 * Encrypts whole payloads with AES-256-GCM: 12 random bytes, the ciphertext, the tag; no additional data, which other
 * tools would not know. Payloads that are not encrypted are decoded unchanged. Throws `CodecError` for an unknown key
 * or a changed payload.
 */
export function createCodec(keys: EncryptionKeys): PayloadCodec {
  return {
    encode: async (payloads) => payloads.map((payload) => encrypt(payload, keys[0])),
    decode: async (payloads) =>
      payloads.map((payload) => (isEncrypted(payload) ? decrypt(payload, findKey(payload, keys)) : payload)),
  };
}

function encrypt(payload: Payload, { id, key }: EncryptionKey): Payload {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  const message = PayloadMessage.encode(payload).finish();
  return {
    metadata: { [METADATA_ENCODING_KEY]: Buffer.from(ENCODING), [METADATA_KEY_ID]: Buffer.from(id) },
    data: Buffer.concat([nonce, cipher.update(message), cipher.final(), cipher.getAuthTag()]),
  };
}

function decrypt({ data }: Payload, { id, key }: EncryptionKey): Payload {
  const bytes = Buffer.from(data ?? []);
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new CodecError(`A payload encrypted with key ${id} is cut short`);
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const ciphertext = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
    return PayloadMessage.decode(Buffer.concat([decipher.update(ciphertext), decipher.final()]));
  } catch (cause) {
    throw new CodecError(`A payload encrypted with key ${id} was changed, or ${id} was another key then`, { cause });
  }
}

const metadataOf = ({ metadata }: Payload, name: string): string => Buffer.from(metadata?.[name] ?? []).toString();

const isEncrypted = (payload: Payload): boolean => metadataOf(payload, METADATA_ENCODING_KEY) === ENCODING;

function findKey(payload: Payload, keys: EncryptionKeys): EncryptionKey {
  const id = metadataOf(payload, METADATA_KEY_ID);
  const key = keys.find((candidate) => candidate.id === id);
  if (!key) throw new CodecError(`A payload is encrypted with key ${JSON.stringify(id)}, which is not among the keys`);
  return key;
}
