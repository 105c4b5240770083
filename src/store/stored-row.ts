import { z } from 'zod';
import { type Database, tables } from './schema.ts';

/** `createdAt` for `created_at`. */
type Named<Column extends string> = Column extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<Named<Rest>>}`
  : Column;

const nameOf = (column: string): string => column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Columns that are members of a row. */
export const columnsFor = <Of extends keyof Database, Form extends z.ZodObject>(table: Of, { shape }: Form) =>
  Object.keys(tables[table].columns).flatMap((column) =>
    nameOf(column) in shape ? [`${table}.${column} as ${nameOf(column)}`] : [],
  ) as unknown as readonly {
    [Column in keyof Database[Of] & string]: Named<Column> extends keyof Form['shape']
      ? `${Of}.${Column} as ${Named<Column>}`
      : never;
  }[keyof Database[Of] & string][];

export type Stored<Select extends (...given: never[]) => { executeTakeFirstOrThrow(): Promise<unknown> }> = Awaited<
  ReturnType<ReturnType<Select>['executeTakeFirstOrThrow']>
>;

type Dated<Stored> = {
  readonly [Name in keyof Stored]: Name extends 'at' | 'since' | `${string}At` | `${string}Since`
    ? Exclude<Stored[Name], number> | Date
    : Stored[Name];
};

/** Beside what is stored, or stored in another form. */
type Computed<Row, Stored> = Partial<Row> & {
  readonly [Name in keyof Row as Name extends keyof Stored
    ? Stored[Name] extends Row[Name]
      ? never
      : Name
    : Name]: Row[Name];
};

const TIME = /^(?:at|since)$|(?:At|Since)$/;

/** Times become dates; members are in the order of the form. */
export function readRow<Form extends z.ZodObject, Stored extends object>(
  { shape }: Form,
  stored: Stored,
  computed: Computed<z.output<Form>, Dated<Stored>>,
): z.output<Form> {
  const all: Readonly<Record<string, unknown>> = { ...stored, ...computed };
  const read = (name: string, value: unknown) =>
    typeof value === 'number' && TIME.test(name) ? new Date(value) : value;
  return Object.fromEntries(Object.keys(shape).map((name) => [name, read(name, all[name])])) as z.output<Form>;
}

type NullOf<Row> = { readonly [Name in keyof Row as null extends Row[Name] ? Name : never]: null };

export const nullsOf = <Form extends z.ZodObject>({ shape }: Form) =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([name, form]) => (form instanceof z.ZodNullable ? [[name, null]] : [])),
  ) as NullOf<z.output<Form>>;
