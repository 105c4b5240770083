import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { cacheStatements } from './statements.ts';

/** Query with the values of its parameters. */
export interface Query {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

const database = new DatabaseSync(workerData as string, { readOnly: true });
const statementOf = cacheStatements((sql) => database.prepare(sql));

/** Runs a query in a worker thread, on a connection of its own, and returns its rows. */
export function runQuery({ sql, parameters }: Query): unknown[] {
  return statementOf(sql).all(...(parameters as readonly SQLInputValue[]));
}
