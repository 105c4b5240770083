import { z } from 'zod';

/** Rows of a page. */
export const ROWS = 50;

/** Field of a form, which browsers send empty if nothing was chosen. */
export const field = <T extends z.ZodType>(form: T) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim() === '' ? undefined : value), form.optional());

/** Query of a page that an action returns to. */
export const doneQuery = z.object({ done: z.string().max(40).optional() });
