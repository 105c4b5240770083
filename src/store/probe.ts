import { sql } from 'kysely';
import { isStoreFailure, messageOf } from '../domain/errors.ts';
import type { Connections } from './engines/connections.ts';
import { tablesOf } from './migrations/version.ts';

/**
 * Creates a function that says why statements fail, as a sentence; undefined if they do not. It reads every column of every table, but no
 * row, on the connections of the webhook, which nothing slow holds.
 */
export function createProbe({ intake }: Pick<Connections, 'intake'>): () => Promise<string | undefined> {
  let statement: ReturnType<typeof prepare> | undefined;
  return async () => {
    try {
      statement ??= prepare();
      const everything = await statement;
      await intake((db) => everything.execute(db));
      return undefined;
    } catch (error) {
      return isStoreFailure(error) ? 'The store is unavailable.' : `Statements of the store fail: ${messageOf(error)}.`;
    }
  };
}

async function prepare() {
  const reads = [...(await tablesOf())].map(([table, columns]) => {
    const names = columns.map((column) => sql.ref(`${table}.${column}`));
    return sql`select 1 from (select ${sql.join(names)} from ${sql.table(table)} where false) as ${sql.table(`of_${table}`)}`;
  });
  return sql`${sql.join(reads, sql` union all `)}`;
}
