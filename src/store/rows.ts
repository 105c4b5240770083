import type {
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
import { type Database, tables } from './schema.ts';

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
