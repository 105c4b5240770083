import { createSecretKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';

/** A key of the codec: the name that payloads carry, and the 256 bits behind it. */
export interface CodecKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** All keys: the first encrypts, each decrypts. */
export type CodecKeys = readonly [CodecKey, ...CodecKey[]];

const FORM = /^([\w.-]{1,64}):([A-Za-z0-9+/]{43}=)$/;

const codecKey = z
  .string('must have at least one')
  .regex(FORM, 'must be of the form id:key, each key 32 bytes in base64')
  .transform((text): CodecKey => {
    const [, id = '', key = ''] = FORM.exec(text) ?? [];
    return { id, key: createSecretKey(key, 'base64') };
  });

/** Keys in one text, `id:key,id2:key2`, each key 32 bytes in base64. */
export const codecKeys = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  )
  .pipe(z.tuple([codecKey], codecKey))
  .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length, 'must give each key an id of its own');
