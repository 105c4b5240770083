import { type Kysely, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../store/schema.ts';
import { MOMENT, time } from './queries.ts';

/** Parameter of a call, option of a command, field of a page. */
export interface Filter<Form extends z.ZodType = z.ZodType, Row = never> {
  /** Its description says which rows stay. */
  readonly form: Form;
  /** Without one a page keeps a given value. */
  readonly hasField?: boolean;
  /** Default: the words of its name. */
  readonly label?: string;
  /** Where values are not words themselves. */
  readonly words?: Readonly<Record<string, string>>;
  /** Word for no value, by the other filters. */
  none?(given: Readonly<Record<string, unknown>>): string;
  readonly placeholder?: string;
  /** Offered by the field: value and name of a shown row. */
  offer?(row: Row): readonly [value: string | null | undefined, name?: string | undefined];
  where?(value: z.output<Form>, context: Context): RawBuilder<boolean>;
}

interface Context {
  readonly reads: Kysely<Database>;
  readonly given: Readonly<Record<string, unknown>>;
}

/** In the order of their fields. */
export type Filters = Readonly<Record<string, Filter>>;

export type Given<F extends Filters> = { readonly [K in keyof F]?: z.output<F[K]['form']> };

export const filterBy = <Form extends z.ZodType, Row = never>(
  form: Form,
  where?: Filter<Form>['where'],
  about: Omit<Filter<Form, Row>, 'form' | 'where'> = {},
): Filter<Form, Row> => ({ form, ...(where && { where }), ...about });

export const fieldBy: typeof filterBy = (form, where, about) => filterBy(form, where, { hasField: true, ...about });

const comparedBy = (sign: '=' | '>=' | '<=') => (column: string) => (value: unknown) =>
  sql<boolean>`${sql.ref(column)} ${sql.raw(sign)} ${value}`;

export const equals = comparedBy('=');
export const atLeast = comparedBy('>=');
export const atMost = comparedBy('<=');

/** For somebody's text between others: in PostgreSQL `\\` has a meaning, and in both `%` and `_`. */
export const hasText = (column: 'id', before: string, text: string, after: string) =>
  sql<boolean>`${sql.ref(column)} like ${before + text.replaceAll(/[\\%_]/g, '\\$&') + after} escape '\\'`;

type Forms<F extends Filters> = { readonly [K in keyof F]: z.ZodExactOptional<F[K]['form']> };

export const formsOf = <F extends Filters>(filters: F): Forms<F> =>
  mapped(filters, ({ form }) => z.exactOptional(form)) as Forms<F>;

/** For pages read at later times: an age would be another time on each. */
export const lastingFormsOf = <F extends Filters>(filters: F): Forms<F> =>
  mapped(filters, ({ form }) =>
    z.exactOptional(isMoment(form) ? time.describe(form.description ?? '') : form),
  ) as unknown as Forms<F>;

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

const mapped = <F extends Filters, T>(filters: F, change: (filter: Filter) => T) =>
  Object.fromEntries(Object.entries(filters).map(([key, filter]) => [key, change(filter)]));
