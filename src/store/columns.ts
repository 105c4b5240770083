import { type Generated, type GeneratedAlways, type Kysely, type RawBuilder, sql } from 'kysely';
import { isPostgres } from './engines/dialect.ts';

type Expression = (db: Kysely<unknown>) => RawBuilder<unknown>;

/** Who gives a column its values: a statement, a statement or else the database, or the database alone. */
type Source = 'given' | 'default' | 'computed';

interface Parts {
  readonly type: Expression;
  readonly isNullable?: boolean;
  readonly constraint?: Expression;
  /** What somebody reads who is limited to customers, of their rows. Default: null. */
  readonly forCustomers?: 'value' | RawBuilder<unknown>;
}

/** Column of a table. Its values are those that SQLite and PostgreSQL share: ids are text, times integer milliseconds, bodies bytes. */
export class Column<Value, From extends Source = 'given'> {
  /** Only for the compiler. */
  declare readonly holds: { readonly value: Value; readonly from: From };
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  orNull = () => new Column<Value | null, From>({ ...this.parts, isNullable: true });

  unique = () => new Column<Value, From>({ ...this.parts, constraint: () => sql`unique` });

  default = (value: Value & (string | number)) =>
    new Column<Value, 'default'>({
      ...this.parts,
      constraint: () => sql`default ${sql.lit(value)}`,
      forCustomers: sql.lit(value),
    });

  /** Somebody who is limited to customers reads it; of others they read the default, or null. */
  shown = () => new Column<Value, From>({ ...this.parts, forCustomers: 'value' });

  /** For somebody who is limited to customers it is computed by another expression. */
  computed = (compute: Expression, forCustomers: RawBuilder<unknown>) =>
    new Column<Value, 'computed'>({
      ...this.parts,
      constraint: (db) => sql`generated always as (${compute(db)}) stored`,
      forCustomers,
    });

  define(db: Kysely<unknown>): RawBuilder<unknown> {
    const { type, isNullable, constraint = () => sql`` } = this.parts;
    return sql`${type(db)}${isNullable ? sql`` : sql` not null`} ${constraint(db)}`;
  }

  selectForCustomers(name: string): RawBuilder<unknown> {
    const { forCustomers = sql`null` } = this.parts;
    return forCustomers === 'value' ? sql.ref(name) : sql`${forCustomers} as ${sql.ref(name)}`;
  }
}

const column = <Value>(sqlite: RawBuilder<unknown>, postgres = sqlite) =>
  new Column<Value>({ type: (db) => (isPostgres(db) ? postgres : sqlite) });

export const text = <Value extends string = string>() => column<Value>(sql`text`);

/**
 * Text of a key or an index, sorted by code point as SQLite does. The collation of a language may change with the operating system, which
 * leaves indexes in another order than comparisons expect, and serves no search by the beginning of a text.
 */
export const key = <Value extends string = string>() => column<Value>(sql`text`, sql`text collate "C"`);

export const integer = () => column<number>(sql`integer`);

/** For times and durations in milliseconds. */
export const bigint = () => column<number>(sql`bigint`);

export const bytes = () => column<Uint8Array>(sql`blob`, sql`bytea`);

/** Primary key that the database counts. */
export const counter = () =>
  new Column<number, 'default'>({
    type: (db) =>
      isPostgres(db) ? sql`bigint primary key generated always as identity` : sql`integer primary key autoincrement`,
    isNullable: true,
  });

/** Whose the rows of a table are, which says who reads them of those whose token or channel is limited. */
export type Owner =
  /** Of the customer whom they name. */
  | 'customer'
  /** Likewise, and they read only the columns that are shown. */
  | 'customerInPart'
  /** Of the destination that gets them, and of the customer whom their announcement names. */
  | 'receiver'
  /** Of the customers whose announcements alone a destination gets. */
  | 'destination'
  /** Of the customer of the subject that they find. */
  | 'subject'
  /** Of a whole account. */
  | 'account'
  /** Of an account, and for all of its customers. */
  | 'everybody'
  /** Of the token that made them. */
  | 'token'
  /** Of the installation. */
  | 'nobody';

type AnyColumn = Pick<Column<unknown, Source>, 'holds' | 'define' | 'selectForCustomers'>;

type Columns = Readonly<Record<string, AnyColumn>>;

export interface Table<Of extends Columns = Columns> {
  readonly owner: Owner;
  /** Empty where the database counts the rows. */
  readonly key: readonly string[];
  readonly columns: Of;
}

export const table = <const Of extends Columns>(
  owner: Owner,
  key: readonly (keyof NoInfer<Of> & string)[],
  columns: Of,
): Table<Of> => ({ owner, key, columns });

type ValueOf<Held extends AnyColumn['holds']> = {
  readonly given: Held['value'];
  readonly default: Generated<Held['value']>;
  readonly computed: GeneratedAlways<Held['value']>;
}[Held['from']];

export type RowOf<Of extends Columns> = { readonly [Name in keyof Of]: ValueOf<Of[Name]['holds']> };

export function createTable(db: Kysely<unknown>, name: string, { key, columns }: Table): RawBuilder<unknown> {
  const defined = Object.entries(columns).map(([name, it]) => sql`${sql.ref(name)} ${it.define(db)}`);
  const primaryKey = key.length > 0 ? [sql`primary key (${sql.join(key.map((it) => sql.ref(it)))})`] : [];
  const isKeyAlone = key.length === defined.length && !isPostgres(db);
  return sql`create table ${sql.table(name)} (${sql.join([...defined, ...primaryKey])}) ${isKeyAlone ? sql`without rowid` : sql``}`;
}
