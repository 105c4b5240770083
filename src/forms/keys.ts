import type { z } from 'zod';

const known = new WeakMap<object, z.ZodType>();

/** Notes all keys of a form that only takes some of them, depending on a value, for those who describe it. */
export function withKeys<Form extends z.ZodType>(form: Form, keys: z.ZodType): Form {
  known.set(form, keys);
  return form;
}

/** Returns the form with all keys, if they were noted. */
export const allKeysOf = (form: object): z.ZodType | undefined => known.get(form);
