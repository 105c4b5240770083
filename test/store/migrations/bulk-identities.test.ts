import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { migrations } from '../../../src/store/migrations/list.ts';
import { migrate } from '../../../src/store/migrations/migrations.ts';
import { describeOnBoth, openIn } from '../databases.ts';
import { openBare } from './bare-database.ts';

describeOnBoth('a repetition of version 7', (database) => {
  it('has the identity of its destination beside its filter', async () => {
    const location = await database.locateBlank();
    const { db, close } = await openBare(location);
    const until = Object.entries(migrations).filter(([name]) => name < '0008');
    await migrate(db, 'x', Object.fromEntries(until));
    for (const filter of ['{"tenant":"9104","destination":"shop","identity":"shop~a1"}', '{"destination":"shop"}'])
      await sql`insert into bulk_actions (action, filter, state, created_at, created_by, expires_at, total, sample)
        values ('repeat', ${filter}, 'running', 1, 'ana', 2, 0, '[]')`.execute(db);
    await close();
    const store = await openIn(database, { location });
    expect(await store.bulk.running()).toMatchObject([
      { identity: 'shop~a1', filter: { tenant: '9104', destination: 'shop' } },
      { identity: null, filter: { destination: 'shop' } },
    ]);
  });
});
