import { expect, it } from 'vitest';
import { createOverview } from '../../../src/admin/views/now/read.ts';
import { describeOnBoth, openIn } from '../../../test/store/databases.ts';
import { seed } from './seed.ts';

describeOnBoth('a seeded store', (database) => {
  it('shows orders in every stage, marks, quarantined webhooks and dead letters', async () => {
    const store = await openIn(database);
    await seed(store.db, 3000);
    const { stages, attention, quarantined, deadLettered } = await createOverview({ ...store, configured: [] })();
    const open = stages.filter(({ isLast }) => !isLast).map(({ count }) => count);
    expect([Math.min(...open) > 0, attention.count, quarantined.count, deadLettered.count]).toEqual([true, 15, 3, 30]);
  });
});
