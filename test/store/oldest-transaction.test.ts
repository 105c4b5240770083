import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { judge } from '../../src/app/doctor/store.ts';
import { findOldestTransaction } from '../../src/store/engines/postgres.ts';
import { describeOnPostgres, openIn } from './databases.ts';
import { openTemporaryStore } from './temporary-store.ts';

describeOnPostgres('a transaction that somebody leaves open', (database) => {
  it('is found, and the doctor says whose it is once it is long', async () => {
    const { db } = await openIn(database);
    const client = new pg.Client({ connectionString: database.url, application_name: 'reports' });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('begin');
    const found = await findOldestTransaction(db);
    expect(found).toEqual({
      application: 'reports',
      pid: expect.any(Number),
      user: expect.any(String),
      ms: expect.any(Number),
    });
    const store = { state: 'open', version: 1, pending: [], fault: undefined, incidents: [], unwanted: [] } as const;
    expect(judge({ ...store, oldestTransaction: found })).toMatchObject({ verdict: 'ok' });
    expect(judge({ ...store, oldestTransaction: found && { ...found, ms: 3_600_000 } })).toMatchObject({
      verdict: 'warning',
      found: expect.stringMatching(/^a transaction of the user \S+ \(pid \d+, reports\) has been open for 60 min$/),
    });
  });
});

it('SQLite has no transactions of others', async () => {
  expect(await findOldestTransaction((await openTemporaryStore()).db)).toBeUndefined();
});
