import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { firstMigration } from '../../../src/store/migrations/first.ts';
import { migrate } from '../../../src/store/migrations/migrations.ts';
import { describeOnBoth, openIn } from '../databases.ts';
import { openBare } from './bare-database.ts';

describeOnBoth('a bulk action of version 1', (database) => {
  it('has the token of who chose it, alone or beside an operator', async () => {
    const location = await database.locateBlank();
    const { db, close } = await openBare(location);
    await migrate(db, 'x', { '0001-first': firstMigration });
    for (const by of ['of_account', 'ana@acme (of_account)', 'an operator on this machine'])
      await sql`insert into bulk_actions (action, filter, state, created_at, created_by, expires_at, total, sample)
        values ('repeat', '{}', 'done', 1, ${by}, 2, 0, '[]')`.execute(db);
    await close();
    const store = await openIn(database, { location });
    const rows = await store.db.selectFrom('bulk_actions').select('token').orderBy('id').execute();
    expect(rows.map(({ token }) => token)).toEqual(['of_account', 'of_account', 'an operator on this machine']);
  });
});
