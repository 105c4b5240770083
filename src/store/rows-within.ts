import { type Kysely, type RawBuilder, sql } from 'kysely';
import { UNNAMED_TENANT } from '../domain/catalogue/subject.ts';
import { isWhole, type Limit } from '../domain/limit.ts';
import { isPostgres } from './engines/dialect.ts';
import type { Database } from './schema.ts';

/** Extent to which the holder of a limited token may read. */
export interface Reach {
  /** Name of the token. */
  readonly token: string;
  readonly limits: readonly Limit[];
  /** Destinations of the configuration that get nothing but what is within the limits; without a tenant, that of the only account. */
  readonly configured: readonly { readonly tenant: string | undefined; readonly name: string }[];
}

/** Selections of the rows that may be read, by their table. */
type Rows = Readonly<Record<keyof Database, RawBuilder<unknown>>>;

/** Returns the rows of every table that are within a reach: the only place that says what belongs to whom. */
export function rowsWithin(db: Kysely<Database>, { token, limits, configured }: Reach): Rows {
  // With its schema, or SQLite would look for the table in the rows that stand for it.
  const stored = (table: keyof Database) => sql.table(isPostgres(db) ? table : `main.${table}`);
  const parts = limits.filter((it) => !isWhole(it));
  const isWithin = anyOf(limits.filter(isWhole).map(({ tenant }) => sql`tenant = ${tenant}`));
  const isOfCustomer = isOneOf(parts, 'tenant', 'customer_id');
  const isTheirs = sql`(${isWithin} or ${isOfCustomer})`;
  /** Condition of destinations that get nothing but what is of the customers. */
  const isOwn = (column: 'name' | 'destination') =>
    anyOf([
      ...configured.map((it) => {
        const tenants = it.tenant === undefined ? parts : [{ tenant: it.tenant }];
        return sql`${isNamed(column, it.name, stored('destinations'))} and ${anyOf(tenants.map(({ tenant }) => sql`tenant = ${tenant}`))}`;
      }),
      sql`(tenant, ${sql.ref(column)}) in (select tenant, ${sql.ref(column === 'name' ? 'name' : 'id')} from ${stored('destinations')} as added where ${getsOnly(db, parts)})`,
    ]);
  /** Condition of terms of a subject of the customers. */
  const isOfSubject = sql`exists (select 1 from ${stored('subjects')} as subject where subject.tenant = search_terms.tenant
      and subject.kind = search_terms.kind and subject.subject_id = search_terms.subject_id
      and ${isOneOf(parts, 'subject.tenant', 'subject.customer_id')})`;
  /** Condition of what is sent to their destinations. */
  const isToThem = sql`(${isWithin} or (${isOwn('destination')}
    and announcement in (select id from ${stored('announcements')} as theirs where ${isOfCustomer})))`;

  const conditions = {
    subjects: isTheirs,
    lead_times: isTheirs,
    announcements: isTheirs,
    outbox: isToThem,
    attempts: isToThem,
    inbox: isTheirs,
    destinations: sql`(${isWithin} or ${isOwn('name')})`,
    erasures: isWithin,
    notes: isWithin,
    resources: isTheirs,
    search_terms: sql`(${isWithin} or ${isOfSubject})`,
    audit: sql`token = ${token}`,
    bulk_actions: sql`token = ${token}`,
    due: NONE,
    // They are of no record, and those of an only account have no name.
    answers: sql`tenant in (${sql.join([UNNAMED_TENANT, ...limits.map(({ tenant }) => tenant)])})`,
    page_limits: sql`tenant in (${sql.join([UNNAMED_TENANT, ...limits.map(({ tenant }) => tenant)])})`,
    tokens: NONE,
    processes: NONE,
    rate_slots: NONE,
    alerts: NONE,
    alert_messages: NONE,
    alert_silences: NONE,
    alert_watch: NONE,
    event_names: NONE,
  } as const satisfies Rows;
  const select = (table: keyof Database, condition: RawBuilder<unknown>) => {
    const columns = table === 'subjects' && parts.length > 0 ? columnsForCustomers : sql`*`;
    return sql`(select ${columns} from ${stored(table)} where ${condition})`;
  };
  return Object.fromEntries(
    Object.entries(conditions).map(([table, condition]) => [table, select(table as keyof Database, condition)]),
  ) as { [Table in keyof Database]: RawBuilder<unknown> };
}

/** Condition of a configured destination; one that was added before keeps its identity. */
const isNamed = (
  column: 'name' | 'destination',
  name: string,
  destinations: RawBuilder<unknown>,
): RawBuilder<unknown> =>
  column === 'name'
    ? sql`name = ${name}`
    : sql`(destination = ${name} or (tenant, destination) in
        (select tenant, id from ${destinations} as known where known.name = ${name}))`;

const NONE = sql`1 = 0`;

const anyOf = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  conditions.length === 0
    ? NONE
    : sql`(${sql.join(
        conditions.map((it) => sql`(${it})`),
        sql` or `,
      )})`;

const isOneOf = (parts: readonly Limit[], tenantColumn: string, customerColumn: string): RawBuilder<unknown> =>
  anyOf(
    parts.map(
      ({ tenant, customer }) => sql`${sql.ref(tenantColumn)} = ${tenant} and ${sql.ref(customerColumn)} = ${customer}`,
    ),
  );

/** Condition of destinations that were added and want nothing but what is of some customers. */
function getsOnly(db: Kysely<Database>, parts: readonly Limit[]): RawBuilder<unknown> {
  const [size, customers] = isPostgres(db)
    ? [
        sql`json_array_length(settings::json -> 'customers')`,
        sql`json_array_elements_text(settings::json -> 'customers') as wanted (value)`,
      ]
    : [sql`json_array_length(settings, '$.customers')`, sql`json_each(settings, '$.customers') as wanted`];
  const isForeign = sql`not ${isOneOf(parts, 'added.tenant', 'wanted.value')}`;
  return sql`settings is not null and ${size} > 0 and not exists (select 1 from ${customers} where ${isForeign})`;
}

/**
 * Columns of a subject for somebody who is limited to customers, as if it had no destinations and nobody had taken it: how those of others
 * fail, what they answered, and who works in the warehouse is not for them.
 */
const columnsForCustomers = sql.join(
  Object.entries({
    tenant: 'own',
    kind: 'own',
    subject_id: 'own',
    stage: 'own',
    stage_since: 'own',
    revision: 'own',
    lifecycle: 'own',
    reference_number: 'own',
    customer_id: 'own',
    facility_id: 'own',
    last_event_at: 'own',
    created_at: 'own',
    updated_at: 'own',
    stalled: 'own',
    refused: 'own',
    look_again_at: 'own',
    retrieving: 'own',
    retrieving_at: 'own',
    facts: 'own',
    due_at: 'own',
    at_risk_at: 'own',
    due_because: 'own',
    due_rules: 'own',
    late_at: 'own',
    announcing: sql`null`,
    cleared: sql`null`,
    // With how many others a GET was shared.
    retrievals: sql`null`,
    taken_by: sql`null`,
    taken_at: sql`null`,
    unannounced: sql`0`,
    announced_to: sql`'{}'`,
    needs_attention: sql`case when stalled = 1 or refused is not null or retrieving is not null then 1 else 0 end`,
    attention_group: sql`rtrim(replace(replace(attention_group || ' ', 'unannounced ', ''), 'announcing ', ''))`,
  } satisfies Record<keyof Database['subjects'], 'own' | RawBuilder<unknown>>).map(([column, value]) =>
    value === 'own' ? sql.ref(column) : sql`${value} as ${sql.ref(column)}`,
  ),
);
