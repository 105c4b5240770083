import { type Kysely, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { parseMoment } from '../base/moment.ts';
import type { Database } from '../store/schema.ts';

export const ROWS = 50;

/** Empty if nothing was chosen. */
export const field = <T extends z.ZodType>(form: T) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim() === '' ? undefined : value), form.optional());

/** Without NUL, which PostgreSQL refuses. */
export const textOf = (longest: number, form = z.string()) =>
  form
    .min(1, 'must not be empty')
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

/** By it the command line knows {@link moment} in OpenAPI. */
export const MOMENT = 'moment';

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

/** Parameter of a call, option of a command, field of a page. */
export interface Filter<Form extends z.ZodType = z.ZodType> {
  readonly form: Form;
  /** Without one a page keeps a given value. */
  readonly hasField?: boolean;
  readonly label?: string;
  readonly words?: Readonly<Record<string, string>>;
  /** Word for no value, by the other filters. */
  none?(given: Readonly<Record<string, unknown>>): string;
  readonly placeholder?: string;
  where?(value: z.output<Form>, context: Context): RawBuilder<boolean>;
}

interface Context {
  readonly reads: Kysely<Database>;
  readonly given: Readonly<Record<string, unknown>>;
}

export type Filters = Readonly<Record<string, Filter>>;

export type Given<F extends Filters> = { readonly [K in keyof F]?: z.output<F[K]['form']> };

export const filterBy = <Form extends z.ZodType>(
  form: Form,
  where?: Filter<Form>['where'],
  about: Omit<Filter<Form>, 'form' | 'where'> = {},
): Filter<Form> => ({ form, ...(where && { where }), ...about });

export const fieldBy: typeof filterBy = (form, where, about) => filterBy(form, where, { hasField: true, ...about });

const comparedBy = (sign: '=' | '>=' | '<=') => (column: string) => (value: unknown) =>
  sql<boolean>`${sql.ref(column)} ${sql.raw(sign)} ${value}`;

export const equals = comparedBy('=');
export const atLeast = comparedBy('>=');
export const atMost = comparedBy('<=');

type Forms<F extends Filters> = { readonly [K in keyof F]: z.ZodExactOptional<F[K]['form']> };

export const formsOf = <F extends Filters>(filters: F): Forms<F> =>
  mapped(filters, ({ form }) => z.exactOptional(form)) as Forms<F>;

/** For what is read later: an age would be another time then. */
export const lastingValuesOf = <F extends Filters>(filters: F, given: Given<F>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([key, { form }]) => {
      const value = given[key];
      if (value === undefined) return [];
      return [[key, isMoment(form) ? new Date(value as number).toISOString() : String(value)]];
    }),
  );

export const isMoment = (form: z.ZodType): boolean => z.toJSONSchema(form, { io: 'input' }).format === MOMENT;

export const conditionsOf = <F extends Filters>(
  filters: F,
  given: Given<F>,
  reads: Kysely<Database>,
): readonly RawBuilder<boolean>[] =>
  Object.entries(filters).flatMap(([key, { where }]) =>
    given[key] === undefined || !where ? [] : [where(given[key], { reads, given })],
  );

export const mapped = <From, To>(of: Readonly<Record<string, From>>, change: (it: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(of).map(([key, it]) => [key, change(it)]));
