import { sql } from 'kysely';
import { isStoreFailure, messageOf } from '../domain/errors.ts';
import type { Connections } from './engines/connections.ts';
import { isMistake } from './engines/failures.ts';
import { tables } from './schema.ts';

/**
 * Creates a function that says why statements fail, as a sentence; undefined if they do not. It reads every column of every table, but no
 * row, on the connections of the webhook, which nothing slow holds.
 */
export function createProbe({ intake }: Pick<Connections, 'intake'>): () => Promise<string | undefined> {
  const everything = prepare();
  return async () => {
    try {
      await intake((db) => everything.execute(db));
      return undefined;
    } catch (error) {
      const { cause = error } = error as Error;
      if (isStoreFailure(error) && !isMistake(cause)) return 'The store is unavailable.';
      return `Statements of the store fail: ${messageOf(cause)}.`;
    }
  };
}

function prepare() {
  const reads = Object.entries(tables).map(([table, { columns }]) => {
    const names = Object.keys(columns).map((column) => sql.ref(`${table}.${column}`));
    return sql`select 1 from (select ${sql.join(names)} from ${sql.table(table)} where false) as ${sql.table(`of_${table}`)}`;
  });
  return sql`${sql.join(reads, sql` union all `)}`;
}
