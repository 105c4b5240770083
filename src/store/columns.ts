import { type Generated, type GeneratedAlways, type Kysely, type RawBuilder, sql } from 'kysely';
import { isPostgres } from './engines/dialect.ts';

export const needsAttention = () => sql`case when stalled = 1 or unannounced = 1 or refused is not null
  or retrieving is not null or announcing is not null then 1 else 0 end`;

/** Without destinations: how those of others fail is not for customers. */
export const needsAttentionForCustomers = sql`case when stalled = 1 or refused is not null or retrieving is not null then 1 else 0 end`;

type Expression = (db: Kysely<unknown>) => RawBuilder<unknown>;

/** A statement, a statement or else the database, or the database alone. */
type Source = 'given' | 'default' | 'computed';

interface Parts {
  readonly type: Expression;
  readonly isNullable?: boolean;
  readonly constraint?: Expression;
  /** For somebody who is limited to customers, of their rows. Default: null. */
  readonly forCustomers?: 'value' | RawBuilder<unknown>;
}

/** Values are those that SQLite and PostgreSQL share: ids are text, times integer milliseconds, bodies bytes. */
class Column<Value, From extends Source = 'given'> {
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

  /** Others who are limited to customers read the default, or null. */
  shown = () => new Column<Value, From>({ ...this.parts, forCustomers: 'value' });

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

/** By code point as SQLite does: a language's collation changes with the operating system, which breaks indexes, and finds no beginnings. */
export const key = <Value extends string = string>() => column<Value>(sql`text`, sql`text collate "C"`);

export const integer = () => column<number>(sql`integer`);

export const bigint = () => column<number>(sql`bigint`);

export const bytes = () => column<Uint8Array>(sql`blob`, sql`bytea`);

export const counter = () =>
  new Column<number, 'default'>({
    type: (db) =>
      isPostgres(db) ? sql`bigint primary key generated always as identity` : sql`integer primary key autoincrement`,
    isNullable: true,
  });

/** Decides who reads a row of those whose token or channel is limited. */
export type Owner =
  | 'customer'
  /** Of the named customer, who reads only the columns that are shown. */
  | 'customerInPart'
  /** Of the destination that gets it, and of its announcement's customer. */
  | 'receiver'
  /** Of the destination's only customers. */
  | 'destination'
  /** Of the customer of the subject that it finds. */
  | 'subject'
  | 'account'
  /** Of an account, for all of its customers. */
  | 'everybody'
  | 'token'
  | 'nobody';

type AnyColumn = Pick<Column<unknown, Source>, 'holds' | 'define' | 'selectForCustomers'>;

type Columns = Readonly<Record<string, AnyColumn>>;

interface Table<Of extends Columns = Columns> {
  readonly owner: Owner;
  /** Empty where the database counts. */
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
