import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { oldestTransactionMs } from '../../src/store/engines/postgres.ts';
import { describeOnPostgres, openIn } from './databases.ts';
import { openTemporaryStore } from './temporary-store.ts';

describeOnPostgres('a transaction that somebody leaves open', (database) => {
  it('is measured', async () => {
    const { db } = await openIn(database);
    expect(await oldestTransactionMs(db)).toBe(0);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('begin');
    expect(await oldestTransactionMs(db)).toBeGreaterThan(0);
  });
});

it('SQLite has no transactions of others', async () => {
  expect(await oldestTransactionMs((await openTemporaryStore()).db)).toBe(0);
});
