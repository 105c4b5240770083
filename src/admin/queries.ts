import { z } from 'zod';
import { parseMoment } from '../base/moment.ts';

/** Without NUL, which PostgreSQL refuses. */
export const textOf = (longest: number, form = z.string()) =>
  form
    .min(1)
    .max(longest)
    .regex(/^[^\0]*$/, 'must not contain NUL');

export const text = textOf(300);

export const explained = <T extends z.ZodType>(form: T, description: string, example: unknown): T =>
  form.meta({ description, examples: [example] });

export const names = {
  tenant: explained(text, 'only this warehouse account', '9104'),
  customer: explained(text, 'only this customer, by its id or the beginning of a word of its name', '418'),
  facility: explained(text, 'only this facility, by its id', '12'),
  carrier: explained(text, 'only open orders that go by this carrier', 'UPS'),
  destination: explained(text, 'only this destination, by its name', 'erp'),
};

export const PAGE_LIMIT = 500;

export const limitForm = z.coerce
  .number(`must be a whole number from 1 to ${PAGE_LIMIT}`)
  .int()
  .min(1)
  .max(PAGE_LIMIT)
  .default(100)
  .describe('Number of rows.');

/** ISO 8601. */
export const time = z.iso
  .datetime({ offset: true, error: 'must be a time like 2026-02-11T10:00:00Z' })
  .transform((text) => Date.parse(text));

/** By it the command line knows {@link moment} in OpenAPI. */
export const MOMENT = 'moment';

/** A time, or an age before now. */
export const moment = z
  .string()
  .meta({ format: MOMENT, examples: ['2h'] })
  .transform((text, context) => {
    const at = parseMoment(text, Date.now());
    if (!Number.isNaN(at)) return at;
    context.addIssue({
      code: 'custom',
      message: 'must be a time like 2026-02-11T10:00:00Z or an age like 90m, 2h or 3d',
    });
    return z.NEVER;
  });

export const rowId = z.coerce
  .number('must be a whole number, 0 or greater')
  .int()
  .nonnegative()
  .meta({ examples: [17] });

export const idParams = z.object({ id: rowId.describe('Id, as the list has it.') });

export const schemaParams = z.object({
  type: explained(text, 'Type of announcements.', 'dockline.order.packed'),
});
