import { z } from 'zod';

export const ROWS = 50;

/** Empty if nothing was chosen. */
export const field = <T extends z.ZodType>(form: T) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim() === '' ? undefined : value), form.optional());

export const timelineOrder = z.enum(['newest', 'oldest']).catch('newest');
