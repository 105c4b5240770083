import { expect, it } from 'vitest';
import { unknownLifecycle } from '../../../src/domain/lifecycle/lifecycle.ts';
import { countStored } from '../../../src/store/listings/counts.ts';
import { createSubjectLists } from '../../../src/store/listings/subjects.ts';
import { createDeadLetters } from '../../../src/store/tables/dead-letters.ts';
import { entryOf, quarantinedEntry } from '../../inbox/entries.ts';
import { describeOnAll, describeOnBoth, openIn, type TestDatabase } from '../databases.ts';
import { announcementOf, lifecycleAt, observe, order, recordAs } from '../recordings.ts';

const stalled = lifecycleAt(1, { registers: { attention: { milestone: 'stalled', time: 1, eventId: null } } });
const deleted = lifecycleAt(1, { registers: { deletion: { milestone: 'deleted', time: 1, eventId: null } } });
const busy = { operation: 'getOrder', error: 'answered 503', nextTryAt: 9_000 };
const refused = [{ operation: 'getUser', id: '2108', message: 'GET answered 403', since: 1 }] as const;

/** Opens a store with subjects that have none, one, several and all reasons for attention. */
async function openWith(database: TestDatabase) {
  const clock = { now: 1_000 };
  const store = await openIn(database, { now: () => clock.now });
  const at = (id: string) => ({ ...order, id });
  await recordAs(store, at('calm'));
  await recordAs(store, at('gone'), { lifecycle: deleted, refused });
  await recordAs(store, at('stalled'), { lifecycle: stalled });
  await recordAs(store, at('two'), { lifecycle: stalled, refused });
  await recordAs(store, at('all'), { lifecycle: stalled, refused, isUnannounced: true });
  await store.troubles.note(at('all'), 'retrieving', busy);
  clock.now = 2_000;
  await store.troubles.note(at('all'), 'announcing', { ...busy, operation: 'announce', nextTryAt: 4_000 });
  await store.troubles.note(at('unknown'), 'retrieving', { ...busy, error: 'no answer', nextTryAt: 10_000 });
  return { ...store, clock, lists: createSubjectLists(store) };
}

describeOnBoth('listed subjects', (database) => {
  it('show all reasons for attention together', async () => {
    const { lists } = await openWith(database);
    const listed = await lists.list({}, { limit: 10 });
    expect(listed.map(({ id, attention }) => [id, attention])).toEqual([
      ['all', ['stalled', 'refused', 'unannounced', 'failing']],
      ['calm', []],
      ['gone', []],
      ['stalled', ['stalled']],
      ['two', ['stalled', 'refused']],
      ['unknown', ['failing']],
    ]);
    expect(listed[0]).toMatchObject({
      refused: ['getUser: GET answered 403'],
      retrieving: { ...busy, since: 1_000, attempts: 1 },
      announcing: { operation: 'announce', since: 2_000, attempts: 1 },
    });
    expect(listed[1]).toMatchObject({ refused: [], retrieving: null, announcing: null });
  });

  it.each([
    ['stalled', ['all', 'stalled', 'two']],
    ['refused', ['all', 'two']],
    ['unannounced', ['all']],
    ['failing', ['all', 'unknown']],
  ] as const)('are found by the reason %s among others', async (attention, ids) => {
    const { lists } = await openWith(database);
    expect((await lists.list({ attention }, { limit: 10 })).map(({ id }) => id)).toEqual(ids);
  });

  it('include subjects with nothing but a failure', async () => {
    const { lists } = await openWith(database);
    expect(await lists.find({ ...order, id: 'unknown' })).toMatchObject({ revision: 0, lifecycle: unknownLifecycle });
  });
});

describeOnBoth('the counts', (database) => {
  it('include a subject for each of its reasons, and failures by tenant and operation', async () => {
    const counts = await countStored(await openWith(database));
    expect(counts.attention).toEqual({ stalled: 3, refused: 2, unannounced: 1, failing: 2 });
    expect(counts.failing).toEqual([
      { ...busy, error: 'no answer', tenant: '9104', subjects: 2, since: 1_000, nextTryAt: 9_000 },
      { ...busy, operation: 'announce', tenant: '9104', subjects: 1, since: 2_000, nextTryAt: 4_000 },
    ]);
  });

  it('are zero in an empty store', async () => {
    expect(await countStored(await openIn(database))).toEqual({
      quarantinedEvents: 0,
      announcements: { unsent: 0, deadLettered: 0 },
      subjects: [],
      failing: [],
      waiting: { count: 0, oldest: null },
      attention: { stalled: 0, refused: 0, unannounced: 0, failing: 0 },
    });
  });

  it('include the waiting events, which are neither observed nor quarantined, with the time of the oldest', async () => {
    const store = await openIn(database);
    await store.inbox.add([entryOf('a', 100), entryOf('b', 200), entryOf('c', 300), quarantinedEntry('p')]);
    await observe(store, 'a');
    await store.inbox.quarantine(['9104:200'], 'cannot be recorded: because');
    expect(await countStored(store)).toMatchObject({ waiting: { count: 1, oldest: 300 }, quarantinedEvents: 2 });
  });
});

describeOnAll('requeued announcements', (database) => {
  const [first, second, third] = [1, 2, 3].map((revision) => announcementOf(revision).id) as [string, string, string];

  async function openWithQuarantined() {
    const clock = { now: 1_000 };
    const store = await openIn(database, { now: () => clock.now });
    const announcements = [1, 2, 3].map((revision) => announcementOf(revision));
    await recordAs(store, order, { lifecycle: lifecycleAt(3), announcements });
    for (const id of [first, second]) await store.outbox.deadLetter(id, 'answered 410');
    const isUnannounced = async () => (await store.subjects.load(order, 0)).saved?.isUnannounced;
    return { ...store, clock, isUnannounced, lists: createDeadLetters(store) };
  }

  it('are sent again, and their subject is marked until all are requeued', async () => {
    const { lists, subjects, isUnannounced } = await openWithQuarantined();
    await lists.requeue([first]);
    expect(await subjects.unsent(order)).toEqual([first, third]);
    expect(await isUnannounced()).toBe(true);
    await lists.requeue([second]);
    expect(await isUnannounced()).toBe(false);
    expect(await subjects.unsent(order)).toEqual([first, second, third]);
  });

  it('are retried for as long as new ones', async () => {
    const { lists, outbox, clock } = await openWithQuarantined();
    clock.now = 9_000;
    await lists.requeue([first]);
    expect(await outbox.lease(first, 100)).toMatchObject({ id: first, triedSince: 9_000 });
  });

  it('keep their lease as long as its holder lives', async () => {
    const { lists, outbox, processes } = await openWithQuarantined();
    await processes.join();
    await outbox.lease(third, 60_000);
    await lists.requeue([third]);
    expect(await outbox.lease(third, 60_000)).toBe('leased');
    await processes.leave();
    await lists.requeue([first]);
    expect(await outbox.lease(third, 60_000)).toBe('leased');
    await lists.requeue([third]);
    expect(await outbox.lease(third, 60_000)).toMatchObject({ id: third });
  });

  it('lose the lease of a process whose heartbeats ended, and of one with a clock that was ahead', async () => {
    const { lists, outbox, clock, processes } = await openWithQuarantined();
    for (const offset of [-15_001, 15_001]) {
      await processes.join();
      await outbox.lease(third, 3_600_000);
      clock.now -= offset;
      await lists.requeue([third]);
      expect(await outbox.lease(third, 100), String(offset)).toMatchObject({ id: third });
      await processes.leave();
      clock.now += 1_000_000;
    }
  });

  it('are not sent again if they are acknowledged', async () => {
    const { lists, outbox, db } = await openWithQuarantined();
    await outbox.sent(third, { status: 200, ms: 1 });
    await lists.requeue([third]);
    expect(await outbox.lease(third, 100)).toBeUndefined();
    const row = await db.selectFrom('announcements').select('sent_at').where('id', '=', third).executeTakeFirst();
    expect(row?.sent_at).toEqual(expect.any(Number));
  });
});
