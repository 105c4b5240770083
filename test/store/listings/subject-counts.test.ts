import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { countSubjects } from '../../../src/store/listings/subject-counts.ts';
import { seed } from '../../bench/board/seed.ts';
import { describeOnBoth, openIn } from '../databases.ts';

describeOnBoth('the count of subjects', (database) => {
  it('is exact, also where more subjects entered a stage at one time than are counted at once', async () => {
    const { db } = await openIn(database);
    await seed(db, 40_000);
    await sql`update subjects set stage_since = 5 where stage = 'confirmed' and customer_id < '15'`.execute(db);
    const { rows } = await sql<{ kind: string; stage: string; count: number }>`
      select kind, stage, count(*) as count from subjects group by kind, stage order by kind, stage`.execute(db);
    expect(Math.max(...rows.map(({ count }) => count))).toBeGreaterThan(20_000);
    expect(await countSubjects(db)).toEqual(rows);
  });
});
