import { expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { entryOf } from '../inbox/entries.ts';
import { describeOnAll, openIn } from './databases.ts';
import { order, recordNext } from './recordings.ts';

describeOnAll('the claim of a recorded subject', (database) => {
  const claimsOf = ({ db }: Store) => db.selectFrom('dispatches').select(['subject_key', 'dispatched_at']).execute();

  it('ends once all waiting events are recorded', async () => {
    const store = await openIn(database);
    await store.inbox.add([entryOf('1', 1), entryOf('2', 2)]);
    for (const id of ['1', '2']) await store.inbox.claim(`order:9104:${id}`);
    expect((await recordNext(store, order, ['9104:1'])).waiting).toEqual([]);
    expect(await claimsOf(store)).toMatchObject([{ subject_key: 'order:9104:2' }]);
  });

  it('is renewed if more events wait, whose names are returned', async () => {
    const clock = { now: 1 };
    const store = await openIn(database, { now: () => clock.now });
    await store.inbox.add([entryOf('1', 1), entryOf('1', 2, 'OrderConfirm')]);
    await store.inbox.claim('order:9104:1');
    clock.now = 500;
    expect((await recordNext(store, order, ['9104:1'])).waiting).toEqual(['OrderConfirm']);
    expect(await claimsOf(store)).toEqual([{ subject_key: 'order:9104:1', dispatched_at: 500 }]);
    expect(await store.inbox.claim('order:9104:1')).toBeUndefined();
  });

  it('is made if more events wait for a workflow that nobody woke, since it continues by itself', async () => {
    const store = await openIn(database);
    await store.inbox.add([entryOf('1', 1), entryOf('1', 2)]);
    await recordNext(store, order, ['9104:1']);
    expect(await store.inbox.claim('order:9104:1')).toBeUndefined();
  });

  it('is settled in the same way without a recording', async () => {
    const store = await openIn(database);
    await store.inbox.add([entryOf('1', 1)]);
    await store.inbox.claim('order:9104:1');
    expect(await store.subjects.settle(order)).toEqual(['OrderUpdate']);
    expect(await claimsOf(store)).toHaveLength(1);
    await store.inbox.quarantine(['9104:1'], 'cannot be recorded: because');
    expect(await store.subjects.settle(order)).toEqual([]);
    expect(await claimsOf(store)).toEqual([]);
  });
});
