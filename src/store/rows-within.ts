import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isWhole, type Limit } from '../domain/limit.ts';
import type { Owner } from './columns.ts';
import { isPostgres, textRows } from './engines/dialect.ts';
import { type Database, tables } from './schema.ts';

export interface Reach {
  readonly token: string;
  readonly limits: readonly Limit[];
}

/** The only place that says what belongs to whom. */
export function rowsWithin(db: Kysely<Database>, { token, limits }: Reach) {
  // With its schema, or SQLite would look for the table in the rows that stand for it.
  const stored = (table: string) => sql.table(isPostgres(db) ? table : `main.${table}`);
  const parts = limits.filter((it) => !isWhole(it));
  const tenantsOf = (of: readonly Limit[]) => [...new Set(of.map(({ tenant }) => tenant))];
  const isWithin = isOneOfTexts('tenant', tenantsOf(limits.filter(isWhole)));
  const customers = textRows(
    db,
    ['tenant', 'customer'],
    parts.map(({ tenant, customer = '' }) => ({ tenant, customer })),
  );
  const isOneOf = (tenantColumn: string, customerColumn: string) =>
    sql`((${sql.ref(tenantColumn)}, ${sql.ref(customerColumn)}) in (select tenant, customer from ${customers} as theirs))`;
  const isOfCustomer = isOneOf('tenant', 'customer_id');
  const isTheirs = sql`(${isWithin} or ${isOfCustomer})`;
  const getsOnlyTheirs = getsOnly(db, isOneOf);
  const isOfSubject = sql`exists (select 1 from ${stored('subjects')} as subject where subject.tenant = search_terms.tenant
      and subject.kind = search_terms.kind and subject.subject_id = search_terms.subject_id
      and ${isOneOf('subject.tenant', 'subject.customer_id')})`;
  const isToThem = sql`(${isWithin} or ((tenant, destination) in
      (select tenant, id from ${stored('destinations')} as known where ${getsOnlyTheirs})
    and exists (select 1 from ${stored('announcements')} as theirs where theirs.id = announcement
      and ${isOneOf('theirs.tenant', 'theirs.customer_id')})))`;

  const conditions: Readonly<Record<Owner, RawBuilder<unknown>>> = {
    customer: isTheirs,
    customerInPart: isTheirs,
    receiver: isToThem,
    destination: sql`(${isWithin} or ${getsOnlyTheirs})`,
    subject: sql`(${isWithin} or ${isOfSubject})`,
    account: isWithin,
    everybody: isOneOfTexts('tenant', tenantsOf(limits)),
    token: sql`token = ${token}`,
    nobody: NONE,
  };
  return Object.entries(tables).map(([table, { owner, columns }]) => {
    const shown = Object.entries(columns).map(([column, it]) => it.selectForCustomers(column));
    const selection = owner === 'customerInPart' && parts.length > 0 ? sql.join(shown) : sql`*`;
    return { table, rows: sql`(select ${selection} from ${stored(table)} where ${conditions[owner]})` };
  });
}

const NONE = sql`1 = 0`;

const isOneOfTexts = (column: string, texts: readonly string[]): RawBuilder<unknown> =>
  texts.length === 0 ? NONE : sql`${sql.ref(column)} in (${sql.join(texts)})`;

function getsOnly(
  db: Kysely<Database>,
  isOneOf: (tenantColumn: string, customerColumn: string) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const [size, customers] = isPostgres(db)
    ? [
        sql`json_array_length(coalesce(configured, settings)::json -> 'customers')`,
        sql`json_array_elements_text(coalesce(configured, settings)::json -> 'customers') as wanted (value)`,
      ]
    : [
        sql`json_array_length(coalesce(configured, settings), '$.customers')`,
        sql`json_each(coalesce(configured, settings), '$.customers') as wanted`,
      ];
  const isForeign = sql`not ${isOneOf('tenant', 'wanted.value')}`;
  return sql`(${size} > 0 and not exists (select 1 from ${customers} where ${isForeign}))`;
}
