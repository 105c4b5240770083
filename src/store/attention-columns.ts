import { type Kysely, type RawBuilder, sql } from 'kysely';
import { isPostgres } from './engines/dialect.ts';

const operationIn = (db: Kysely<unknown>, column: 'retrieving' | 'refused', index?: number): RawBuilder<unknown> => {
  const path = index === undefined ? [] : [String(index)];
  return isPostgres(db)
    ? sql`${sql.ref(column)}::json #>> ${sql.lit(`{${[...path, 'operation'].join(',')}}`)}`
    : sql`json_extract(${sql.ref(column)}, ${sql.lit(['$', ...path.map((it) => `[${it}]`), '.operation'].join(''))})`;
};

export const needsAttention = () => sql`case when stalled = 1 or unannounced = 1 or refused is not null
  or retrieving is not null or announcing is not null then 1 else 0 end`;

/** Without destinations: how those of others fail is not for customers. */
export const needsAttentionForCustomers = sql`case when stalled = 1 or refused is not null or retrieving is not null then 1 else 0 end`;

/** Equal reasons are equal texts. */
export const attentionGroup = (db: Kysely<unknown>) => sql`rtrim(
  case when unannounced = 1 then 'unannounced ' else '' end
  || case when retrieving is not null then 'retrieving:' || coalesce(${operationIn(db, 'retrieving')}, '') || ' ' else '' end
  || case when announcing is not null then 'announcing ' else '' end
  || case when refused is not null then 'refused:' || ${sql.join(
    [0, 1, 2, 3].map((index) => sql`coalesce(${operationIn(db, 'refused', index)} || ',', '')`),
    sql` || `,
  )} || ' ' else '' end
  || case when stalled = 1 then 'stalled:' || stage else '' end)`;

export const attentionGroupForCustomers = sql`rtrim(replace(replace(attention_group || ' ', 'unannounced ', ''), 'announcing ', ''))`;
