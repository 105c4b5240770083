import { expect, it } from 'vitest';
import { createSummary } from '../../../sandbox/demonstration/stored.ts';
import { describeOnBoth, openIn } from '../../store/databases.ts';
import { recordAs } from '../../store/recordings.ts';
import { announcementOf, lifecycleAt, order, quarantinedEntry, toDefault } from '../../support/make.ts';

const ref = { tenant: '1', kind: 'order' } as const;

describeOnBoth('the summary', (database) => {
  it('lists orders with their stage and why they need attention', async () => {
    const store = await openIn(database);
    const attention = { milestone: 'stalled', time: 1, eventId: '' } as const;
    await recordAs(store, { ...ref, id: 'b' }, { lifecycle: lifecycleAt(2, { registers: { attention } }) });
    const closing = { milestone: 'confirmed', time: 1, eventId: '1:1' } as const;
    await recordAs(store, { ...ref, id: 'a' }, { lifecycle: lifecycleAt(1, { registers: { closing } }) });
    await recordAs(store, { ...ref, id: 'c' }, { isUnannounced: true });
    await store.activityFailures.note({ ...ref, id: 'd' }, 'retrieving', {
      operation: 'getOrder',
      error: 'busy',
      nextTryAt: 1,
    });
    const listed = { ...ref, stage: 'created', referenceNumber: null, attention: [] };
    expect(await createSummary(store).subjects()).toMatchObject([
      { ...listed, id: 'a', stage: 'confirmed', revision: 1 },
      { ...listed, id: 'b', revision: 2, attention: ['stalled'] },
      { ...listed, id: 'c', revision: 1, attention: ['unannounced'] },
      { ...listed, id: 'd', revision: 0, attention: ['failing'] },
    ]);
  });

  it('counts sent and unsent announcements', async () => {
    const store = await openIn(database);
    const { outbox } = store;
    const announcements = ['a', 'b', 'c'].map((id, index) => ({ ...announcementOf(index + 1), id }));
    await recordAs(store, order, { announcements });
    await outbox.sent(toDefault('b'), { status: 200, ms: 1 });
    await outbox.deadLetter(toDefault('c'), 'answered 410');
    expect(await createSummary(store).announcements()).toEqual({ sent: 1, unsent: 2 });
    expect(await createSummary(store).acknowledged()).toEqual(['b']);
  });

  it('counts quarantined deliveries by their reason, the most frequent first', async () => {
    const store = await openIn(database);
    const { inbox } = store;
    await inbox.add([quarantinedEntry('1', 'rare'), quarantinedEntry('2', 'often'), quarantinedEntry('3', 'often')]);
    expect(await createSummary(store).quarantined()).toEqual([
      { reason: 'unknown event "often" of an order', count: 2 },
      { reason: 'unknown event "rare" of an order', count: 1 },
    ]);
  });
});
