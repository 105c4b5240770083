import { expect, it } from 'vitest';
import { withdraw } from '../../../src/destinations/tables/withdrawals.ts';
import { describeOnBoth, openIn } from '../../store/databases.ts';
import { recordAs } from '../../store/recordings.ts';
import { announcementOf, order, toDefault } from '../../support/make.ts';

describeOnBoth('announcements that are withdrawn', (database) => {
  it('are those that are still to be sent, each after the one before it that is left', async () => {
    const store = await openIn(database);
    const announcements = [1, 2, 3, 4].map((revision) => announcementOf(revision));
    const ids = announcements.map(({ id }) => id);
    await recordAs(store, order, { announcements });
    const [sent = '', , third = ''] = ids;
    await store.outbox.sent(toDefault(sent), { status: 204, ms: 1 });
    await store.db
      .transaction()
      .execute((transaction) => withdraw(transaction, { tenant: '9104', id: 'default' }, [sent, third]));
    const left = store.db.selectFrom('outbox').select(['announcement', 'previous']).orderBy('revision');
    expect(await left.execute()).toEqual([
      { announcement: sent, previous: null },
      { announcement: ids[1], previous: 1 },
      { announcement: ids[3], previous: 2 },
    ]);
  });
});
