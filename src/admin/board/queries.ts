import { z } from 'zod';
import type { Notice } from './notice.ts';

/** Rows of a page. */
export const ROWS = 50;

/** Field of a form, which browsers send empty if nothing was chosen. */
export const field = <T extends z.ZodType>(form: T) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim() === '' ? undefined : value), form.optional());

/** Order of a timeline on a page. */
export const timelineOrder = z.enum(['newest', 'oldest']).catch('newest');

/** Query of a page that an action returns to, in which the notice is in place of its word. */
export const doneQuery = z.object({ done: z.custom<Notice>().optional() });
