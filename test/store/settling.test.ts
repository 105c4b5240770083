import { expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { entryOf } from '../inbox/entries.ts';
import { describeOnBoth, openIn } from './databases.ts';
import { order, recordNext } from './recordings.ts';

describeOnBoth('the note that a workflow was woken', (database) => {
  const notesOf = ({ db }: Store) => db.selectFrom('dispatches').select(['subject_key', 'dispatched_at']).execute();

  it('is forgotten once everything that waited is recorded', async () => {
    const store = await openIn(database);
    await store.inbox.add([entryOf('1', 1), entryOf('2', 2)]);
    for (const id of ['1', '2']) await store.inbox.claim(`order:9104:${id}`);
    expect((await recordNext(store, order, ['9104:1'])).waiting).toEqual([]);
    expect(await notesOf(store)).toMatchObject([{ subject_key: 'order:9104:2' }]);
  });

  it('stays, as young as the recording, where more waits, which is named', async () => {
    const clock = { now: 1 };
    const store = await openIn(database, { now: () => clock.now });
    await store.inbox.add([entryOf('1', 1), entryOf('1', 2, 'OrderConfirm')]);
    await store.inbox.claim('order:9104:1');
    clock.now = 500;
    expect((await recordNext(store, order, ['9104:1'])).waiting).toEqual(['OrderConfirm']);
    expect(await notesOf(store)).toEqual([{ subject_key: 'order:9104:1', dispatched_at: 500 }]);
    expect(await store.inbox.claim('order:9104:1')).toBeUndefined();
  });

  it('is made where a workflow records that nobody woke and more waits, since it goes on by itself', async () => {
    const store = await openIn(database);
    await store.inbox.add([entryOf('1', 1), entryOf('1', 2)]);
    await recordNext(store, order, ['9104:1']);
    expect(await store.inbox.claim('order:9104:1')).toBeUndefined();
  });

  it('is settled in the same way with nothing to record', async () => {
    const store = await openIn(database);
    await store.inbox.add([entryOf('1', 1)]);
    await store.inbox.claim('order:9104:1');
    expect(await store.subjects.settle(order)).toEqual(['OrderUpdate']);
    expect(await notesOf(store)).toHaveLength(1);
    await store.inbox.quarantine(['9104:1'], 'because');
    expect(await store.subjects.settle(order)).toEqual([]);
    expect(await notesOf(store)).toEqual([]);
  });
});
