import type {
  CompiledQuery,
  DeleteQueryBuilder,
  DeleteResult,
  InsertObject,
  InsertQueryBuilder,
  InsertResult,
  Kysely,
  SelectQueryBuilder,
  SelectType,
  UpdateQueryBuilder,
  UpdateResult,
} from 'kysely';
import { z } from 'zod';
import { isPostgres } from './engines/dialect.ts';
import { type Database, tables } from './schema.ts';

/** `createdAt` for `created_at`. */
type Named<Column extends string> = Column extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<Named<Rest>>}`
  : Column;

const nameOf = (column: string): string => column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

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

type Name = keyof Database;

/** Of a list, one value. */
export type Meant<Of extends Name> = {
  readonly [Column in keyof Database[Of]]?:
    | SelectType<Database[Of][Column]>
    | null
    | readonly NonNullable<SelectType<Database[Of][Column]>>[];
};

type New<Of extends Name> = InsertObject<Database, Of> | readonly InsertObject<Database, Of>[];

type Insert<Of extends Name> = InsertQueryBuilder<Database, Of, InsertResult>;

interface Conditional {
  where(column: string, operator: 'is' | 'in' | '=', value: unknown): Conditional;
}

const whereMeant = <Query>(query: unknown, meant: object): Query =>
  Object.entries(meant).reduce(
    (it, [column, value]) => it.where(column, value === null ? 'is' : Array.isArray(value) ? 'in' : '=', value),
    query as Conditional,
  ) as Query;

export const rowsOf = <Of extends Name>(db: Kysely<Database>, table: Of, meant: Meant<Of>) =>
  whereMeant<SelectQueryBuilder<Database, Of, object>>(db.selectFrom(table), meant);

export const changeRows = <Of extends Name>(db: Kysely<Database>, table: Of, meant: Meant<Of>) =>
  whereMeant<UpdateQueryBuilder<Database, Of, Of, UpdateResult>>(db.updateTable(table), meant);

export const deleteRows = <Of extends Name>(db: Kysely<Database>, table: Of, meant: Meant<Of>) =>
  whereMeant<DeleteQueryBuilder<Database, Of, DeleteResult>>(db.deleteFrom(table), meant);

/** Existing keys keep their rows. */
export const addRows = <Of extends Name>(db: Kysely<Database>, table: Of, rows: New<Of>): Insert<Of> =>
  (db.insertInto(table).values(rows as never) as Insert<Of>).onConflict((conflict) => conflict.doNothing());

/** Rows of existing keys take `change`, by default all values. */
export const putRows = <Of extends Name>(
  db: Kysely<Database>,
  table: Of,
  rows: New<Of>,
  change: object = rows,
): Insert<Of> => {
  const key = tables[table].key as readonly never[];
  const changed = Object.fromEntries(Object.entries(change).filter(([column]) => !key.includes(column as never)));
  const insert = db.insertInto(table).values(rows as never) as Insert<Of>;
  return insert.onConflict((conflict) => conflict.columns(key).doUpdateSet(changed as never));
};

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Building a query takes several times as long as running it. Parameters must not decide how it is built. */
export function prepared<Parameters extends object, Row>(
  build: (db: Kysely<Database>, parameters: Parameters) => { compile(): CompiledQuery<Row> },
): (db: Kysely<Database>, parameters: Parameters) => Promise<readonly Row[]> {
  const built = new Map<string, CompiledQuery<Row>>();
  return async (db, parameters) => {
    // A limited connection changes how queries are built.
    if (db.getExecutor().plugins.length > 0) return (await db.executeQuery(build(db, parameters).compile())).rows;
    const names = Object.keys(parameters);
    const key = `${isPostgres(db)} ${db.isTransaction} ${names}`;
    let query = built.get(key);
    if (!query) {
      const placeholders = Object.fromEntries(names.map((name) => [name, new Placeholder(name)]));
      query = build(db, placeholders as Parameters).compile();
      built.set(key, query);
    }
    const values = query.parameters.map((it) =>
      it instanceof Placeholder ? parameters[it.name as keyof Parameters] : it,
    );
    return (await db.executeQuery<Row>({ ...query, parameters: values })).rows;
  };
}
