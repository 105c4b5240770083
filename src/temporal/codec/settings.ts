import { createSecretKey } from 'node:crypto';
import { z } from 'zod';
import type { EncryptionKey } from '../../base/sealing.ts';
import { isDistinct, list } from '../../forms/forms.ts';

const FORM = /^([\w.-]{1,64}):([A-Za-z0-9+/]{43}=)$/;

const codecKey = z
  .string('must have at least one')
  .regex(FORM, 'must be of the form id:key, each key 32 bytes in base64')
  .transform((text): EncryptionKey => {
    const [, id = '', key = ''] = FORM.exec(text) ?? [];
    return { id, key: createSecretKey(key, 'base64') };
  });

/** `id:key,id2:key2`, each key 32 bytes in base64. */
export const codecKeys = list
  .pipe(z.tuple([codecKey], codecKey))
  .refine((keys) => isDistinct(keys.map(({ id }) => id)), 'must give each key an id of its own');
