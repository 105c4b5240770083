import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { cacheStatements } from './statements.ts';

export interface Query {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

const database = new DatabaseSync(workerData as string, { readOnly: true });
const statementOf = cacheStatements((sql) => database.prepare(sql));

export function runQuery({ sql, parameters }: Query): unknown[] {
  return statementOf(sql).all(...(parameters as readonly SQLInputValue[]));
}
