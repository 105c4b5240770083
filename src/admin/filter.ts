import type { Kysely, RawBuilder } from 'kysely';
import { z } from 'zod';
import type { Database } from '../store/schema.ts';
import { MOMENT, time } from './queries.ts';

/** Filter of a list, of which follow the parameter of its call, the option of its command and the field of its page. */
export interface Filter<Form extends z.ZodType = z.ZodType, Row = never> {
  /** Form of its values, with a phrase that says which rows it leaves. */
  readonly form: Form;
  /** Label of its field; without one a page has none, and keeps the value that it was asked for. */
  readonly label?: string;
  /** Words for its values, where these are not words themselves. */
  readonly words?: Readonly<Record<string, string>>;
  /** Word for no value, beside the other filters that were given. */
  none?(given: Readonly<Record<string, unknown>>): string;
  readonly placeholder?: string;
  /** Returns the value of a row that is shown, and its name, for the field to offer. */
  offer?(row: Row): readonly [value: string | null | undefined, name?: string | undefined];
  /** Returns the condition of the rows that match a value. */
  where?(value: z.output<Form>, context: Context): RawBuilder<boolean>;
}

interface Context {
  readonly reads: Kysely<Database>;
  /** All filters that were given. */
  readonly given: Readonly<Record<string, unknown>>;
}

/** Filters of a list by their keys, in the order of their fields. */
export type Filters = Readonly<Record<string, Filter>>;

/** Filters that were given, parsed. */
export type Given<F extends Filters> = { readonly [K in keyof F]?: z.output<F[K]['form']> };

/** Defines a filter. */
export const filterBy = <Form extends z.ZodType, Row = never>(
  form: Form,
  about: Omit<Filter<Form, Row>, 'form'> = {},
): Filter<Form, Row> => ({ form, ...about });

type Forms<F extends Filters> = { readonly [K in keyof F]: z.ZodExactOptional<F[K]['form']> };

/** Returns the forms of filters, of which none has to be given. */
export const formsOf = <F extends Filters>(filters: F): Forms<F> =>
  mapped(filters, ({ form }) => z.exactOptional(form)) as Forms<F>;

/** Returns the forms of filters for what is read page by page at later times: an age would be another time on each. */
export const lastingFormsOf = <F extends Filters>(filters: F): Forms<F> =>
  mapped(filters, ({ form }) =>
    z.exactOptional(isMoment(form) ? time.describe(form.description ?? '') : form),
  ) as unknown as Forms<F>;

/** Returns the values of filters as the forms of {@link lastingFormsOf} take them. */
export const lastingValuesOf = <F extends Filters>(filters: F, given: Given<F>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([key, { form }]) => {
      const value = given[key];
      if (value === undefined) return [];
      return [[key, isMoment(form) ? new Date(value as number).toISOString() : String(value)]];
    }),
  );

/** Reports whether a form takes times and ages. */
export const isMoment = (form: z.ZodType): boolean => z.toJSONSchema(form, { io: 'input' }).format === MOMENT;

/** Returns the conditions of the rows that match. */
export const conditionsOf = <F extends Filters>(
  filters: F,
  given: Given<F>,
  reads: Kysely<Database>,
): readonly RawBuilder<boolean>[] =>
  Object.entries(filters).flatMap(([key, { where }]) =>
    given[key] === undefined || !where ? [] : [where(given[key], { reads, given })],
  );

const mapped = <F extends Filters, T>(filters: F, change: (filter: Filter) => T) =>
  Object.fromEntries(Object.entries(filters).map(([key, filter]) => [key, change(filter)]));
