import {
  AliasNode,
  CommonTableExpressionNameNode,
  CommonTableExpressionNode,
  FromNode,
  IdentifierNode,
  type Kysely,
  type KyselyPlugin,
  ParensNode,
  type RawBuilder,
  RawNode,
  type RootOperationNode,
  SelectionNode,
  SelectQueryNode,
  sql,
  type WithNode,
} from 'kysely';
import { singleFlight } from '../base/loop.ts';
import { isWhole, type Limit, type Permitted, permitAnyone } from '../domain/permission.ts';
import type { Owner } from './columns.ts';
import { isPostgres, textRows } from './engines/dialect.ts';
import { type Database, tables } from './schema.ts';

/** Reads nothing that somebody may not have now; views, files and alerts read by no other connection. */
export type PermittedReads = Permitted<Kysely<Database>>;

export const readEverything = (reads: Kysely<Database>): PermittedReads => permitAnyone(reads);

/** Whatever a statement says: it becomes a subquery, in which each table means its rows within the limits, and which cannot write. */
export function limitReads(reads: Kysely<Database>, reach: Reach): PermittedReads {
  const shadows = rowsWithin(reads, reach).map(({ table, rows }) => ({
    table,
    ...CommonTableExpressionNode.create(CommonTableExpressionNameNode.create(table), rows.toOperationNode()),
    materialized: false,
  }));
  const executor = reads.getExecutor();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      // To compile and to plan all of them would take longer than most statements.
      const text = executor.compileQuery(node, queryId).sql.toLowerCase();
      const named = shadows.filter(({ table }) => text.includes(table));
      // There has to be one.
      return limit(node, { kind: 'WithNode', expressions: named.length > 0 ? named : shadows.slice(-1) });
    },
    transformResult: async ({ result }) => result,
  };
  return reads.withPlugin(plugin) as PermittedReads;
}

function limit(node: RootOperationNode, shadows: WithNode): RootOperationNode {
  const statement = AliasNode.create(ParensNode.create(node), IdentifierNode.create('limited'));
  if (SelectQueryNode.is(node)) {
    const from = FromNode.create([statement]);
    return { kind: 'SelectQueryNode', with: shadows, selections: [SelectionNode.createSelectAll()], from };
  }
  if (!RawNode.is(node)) throw new Error('A limited connection only reads.');
  const [shadowing, limited] = [shadows, statement].map((it) => ({ toOperationNode: () => it }));
  return sql`${shadowing} select * from ${limited}`.toOperationNode();
}

interface Reach {
  readonly token: string;
  readonly limits: readonly Limit[];
}

/** The only place that says what belongs to whom. */
function rowsWithin(db: Kysely<Database>, { token, limits }: Reach) {
  // With its schema, or SQLite would look for the table in the rows that stand for it.
  const stored = (table: string) => sql.table(isPostgres(db) ? table : `main.${table}`);
  const parts = limits.filter((it) => !isWhole(it));
  const tenantsOf = (of: readonly Limit[]) => [...new Set(of.map(({ tenant }) => tenant))];
  const isWithin = isOfAccount(tenantsOf(limits.filter(isWhole)));
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
    everybody: isOfAccount(tenantsOf(limits)),
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

const isOfAccount = (tenants: readonly string[]): RawBuilder<unknown> =>
  tenants.length === 0 ? NONE : sql`tenant in (${sql.join(tenants)})`;

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

type Reading<T> = (reads: Kysely<Database>, now: number) => Promise<T>;

const HOLDS_MS = 1000;

export type Readings = ReturnType<typeof createReadings>;

export function createReadings(reads: PermittedReads, now: () => number) {
  const flights = new Map<Reading<unknown>, ReturnType<typeof singleFlight>>();
  return {
    reads,
    async once<T>(read: Reading<T>): Promise<T> {
      const flight = flights.get(read) ?? singleFlight<unknown>(HOLDS_MS, () => read(reads, now()));
      flights.set(read, flight);
      return (await flight.read()) as T;
    },
    expire(): void {
      for (const flight of flights.values()) flight.expire();
    },
  };
}
