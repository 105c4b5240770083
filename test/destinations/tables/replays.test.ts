import { expect, it } from 'vitest';
import { createRedelivery } from '../../../src/destinations/tables/redelivery.ts';
import type { DestinationFilter } from '../../../src/domain/routing.ts';
import { describeOnBoth, openIn, type TestDatabase } from '../../store/databases.ts';
import { recordAs, takeKeys } from '../../store/recordings.ts';
import { announcementOf, order, toDefault } from '../../support/make.ts';

const ids = [1, 2, 3].map((revision) => announcementOf(revision).id);
const [first = '', second = '', third = ''] = ids;

/** Opens a store with three announcements: acknowledged, given up, and still to be sent. */
async function open(database: TestDatabase) {
  const clock = { now: 1_000 };
  const store = await openIn(database, { now: () => clock.now });
  const announcements = [1, 2, 3].map((revision) => announcementOf(revision));
  await recordAs(store, order, { announcements, customerId: '418' });
  await store.outbox.sent(toDefault(first), { status: 204, ms: 1 });
  await store.outbox.deadLetter(toDefault(second), 'answered 500');
  await store.db.deleteFrom('due').execute();
  clock.now = 2_000;
  const replay = (name: string, filter: DestinationFilter = {}, createdAt = clock.now) =>
    createRedelivery(store).replay(ids, { tenant: '9104', id: name, filter }, { id: 0, createdAt });
  return { store, clock, replay };
}

describeOnBoth('announcements that are replayed', (database) => {
  it('are sent again, marked, if they were acknowledged or given up; what is being sent is left alone', async () => {
    const { store, clock, replay } = await open(database);
    await replay('default');
    expect(await store.subjects.unsent(order)).toEqual({ default: [first, second, third] });
    expect(await takeKeys(store)).toEqual(['order:9104:1']);
    const marks = [];
    for (const id of ids) marks.push(await store.outbox.lease(toDefault(id), 100));
    expect(marks).toMatchObject([
      { isReplay: true, previous: null, triedSince: 2_000 },
      { isReplay: true, previous: 1 },
      { isReplay: false, previous: 2, triedSince: 1_000 },
    ]);
    // The same step again, after a kill: what was acknowledged meanwhile is not replayed once more.
    clock.now = 3_000;
    await store.outbox.sent(toDefault(first), { status: 204, ms: 1 });
    await replay('default', {}, 2_000);
    expect(await store.subjects.unsent(order)).toEqual({ default: [second, third] });
  });

  it('are not sent again to one that may not have them any more', async () => {
    const { store, replay } = await open(database);
    await replay('default', { customers: ['419'] });
    expect(await store.subjects.unsent(order)).toEqual({ default: [third] });
  });

  it('reach a destination that never got them, as far as it wants them', async () => {
    const { store, replay } = await open(database);
    await replay('erp', { customers: ['419'] });
    expect(await store.subjects.unsent(order)).toEqual({ default: [third] });
    await replay('erp', { customers: ['418'] });
    await replay('erp', { customers: ['418'] });
    expect(await store.subjects.unsent(order)).toEqual({ default: [third], erp: ids });
    expect(await store.outbox.lease({ id: third, destination: 'erp' }, 100)).toMatchObject({
      previous: 2,
      isReplay: true,
    });
  });

  it('are left out once their bodies are purged', async () => {
    const { store, replay } = await open(database);
    await store.db.updateTable('announcements').set({ body: new Uint8Array() }).execute();
    await replay('default');
    await replay('erp');
    expect(await store.subjects.unsent(order)).toEqual({ default: [third] });
  });
});
