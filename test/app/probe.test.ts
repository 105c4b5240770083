import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { command } from '../../proving/faults/fixture/database.ts';
import { createProbe } from '../../src/app/store.ts';
import { describeOnBoth, describeOnPostgres, openIn } from '../store/databases.ts';

describeOnBoth('a store whose statements fail', (database) => {
  it.each([
    ['a table', 'due', 'alter table due rename to done', 'alter table done rename to due'],
    ['a column', 'phase', 'alter table alerts rename column phase to p', 'alter table alerts rename column p to phase'],
  ])('says that they lack %s, until it is there again', async (_, missing, breakIt, mendIt) => {
    const store = await openIn(database, { location: await database.locateBlank() });
    expect(await store.whyUnusable()).toBeUndefined();
    await sql.raw(breakIt).execute(store.db);
    expect(await store.whyUnusable()).toMatch(new RegExp(`^Statements of the store fail: .*\\b${missing}\\b`));
    await sql.raw(mendIt).execute(store.db);
    expect(await store.whyUnusable()).toBeUndefined();
  });
});

describeOnPostgres('a store whose tables are forbidden to its user', (database) => {
  it('says which', async () => {
    const location = await database.locateBlank();
    const { db } = await openIn(database, { location });
    const role = sql.raw(`forbidden_${process.pid}`);
    await sql`create role ${role}`.execute(db);
    onTestFinished(() => command(database.direct, `drop role forbidden_${process.pid}`));
    onTestFinished(async () => void (await sql`drop owned by ${role}`.execute(db)));
    await sql`grant usage on schema public to ${role}`.execute(db);
    await sql`grant select on all tables in schema public to ${role}`.execute(db);
    await sql`revoke select on outbox from ${role}`.execute(db);
    const whyUnusable = createProbe({
      intake: (write) =>
        db.transaction().execute(async (transaction) => {
          await sql`set local role ${role}`.execute(transaction);
          return write(transaction);
        }),
    });
    expect(await whyUnusable()).toBe('Statements of the store fail: permission denied for table outbox.');
  });
});
