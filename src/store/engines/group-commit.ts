import { setImmediate as turn } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';

/** Runs writes on a connection or in a transaction, and resolves once they are committed. */
export type Writing<Db> = <T>(write: (db: Db) => Promise<T>) => Promise<T>;

interface Pending<Schema> {
  write(transaction: Transaction<Schema>): Promise<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

const MAX_BATCH = 50;

/** Those that arrive in the same turn, or while others commit, share the next commit. */
export function createGroupCommit<Schema>(connect: Writing<Kysely<Schema>>): Writing<Transaction<Schema>> {
  const pending: Pending<Schema>[] = [];
  let isCommitting = false;

  async function commitAll(): Promise<void> {
    isCommitting = true;
    while (pending.length > 0) {
      await turn();
      await commit(pending.splice(0, MAX_BATCH));
    }
    isCommitting = false;
  }

  async function commit(batch: readonly Pending<Schema>[]): Promise<void> {
    try {
      // One after the other, since they share the transaction.
      const runAll = (transaction: Transaction<Schema>) => Array.fromAsync(batch, ({ write }) => write(transaction));
      const results = await connect((db) => db.transaction().execute(runAll));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]);
    } catch (error) {
      // One transaction that fails must not fail the others.
      if (batch.length > 1) for (const one of batch) await commit([one]);
      else for (const { reject } of batch) reject(error);
    }
  }

  return <T>(write: (transaction: Transaction<Schema>) => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      pending.push({ write, resolve: resolve as (result: unknown) => void, reject });
      if (!isCommitting) void commitAll();
    });
}
