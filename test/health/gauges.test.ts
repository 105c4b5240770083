import { expect, it } from 'vitest';
import type { Store } from '../../src/app/store.ts';
import { quarantineCategories } from '../../src/domain/quarantine.ts';
import { createStoredReading } from '../../src/health/gauges.ts';
import { COUNTED } from '../../src/store/bounded-count.ts';
import { record } from '../destinations/record.ts';
import { describeOnBoth, openIn } from '../store/databases.ts';
import { recordAs } from '../store/recordings.ts';
import { announcementOf, entryOf, order, quarantinedEntry, toDefault } from '../support/make.ts';

const at = Date.UTC(2026, 1, 11, 12);
const reading = (store: Store) => createStoredReading({ ...store, waiting: store.inbox.waiting });
const notQuarantined = Object.fromEntries(quarantineCategories.map((category) => [category, 0]));
const since = (time: number) => ({ time, eventId: null });

describeOnBoth('the gauges of the store', (database) => {
  it('count nothing in an empty store, but name every open stage', async () => {
    const store = await openIn(database, { now: () => at });
    const { subjects, ...rest } = await reading(store)();
    const none = { count: 0, since: null };
    expect(rest).toMatchObject({
      at,
      waiting: none,
      unsent: none,
      quarantined: notQuarantined,
      deadLetters: 0,
      attention: { stalled: 0, refused: 0, unannounced: 0, failing: 0 },
      due: { overdue: 0, atRisk: 0, soon: 0 },
    });
    expect(subjects.filter(({ count }) => count > 0)).toEqual([]);
    expect(subjects.map(({ kind, stage }) => `${kind} ${stage}`)).toContain('order packing');
  });

  it('count what waits, is quarantined, is unsent and is stuck, each with the oldest', async () => {
    let now = at - 60_000;
    const store = await openIn(database, { now: () => now });
    await store.inbox.add([entryOf('a', 1), entryOf('a', 2), quarantinedEntry('q')]);
    await recordAs(store, order, { announcements: [1, 2].map((revision) => announcementOf(revision)) });
    now = at - 30_000;
    await store.outbox.deadLetter(toDefault(announcementOf(1).id), 'refused');
    await store.activityFailures.note(order, 'announcing', { operation: 'announce', error: 'down', nextTryAt: now });
    await record(store, 'order:9104:2', {
      stageSince: at - 5000,
      registers: { pick: { milestone: 'picked', ...since(at) } },
    });
    await record(store, 'order:9104:3', {
      stageSince: at - 9000,
      registers: { closing: { milestone: 'confirmed', ...since(at) } },
    });
    now = at;
    const { subjects, waiting, ...rest } = await reading(store)();
    // The two other records have an unsent announcement each.
    expect(rest).toEqual({
      at,
      quarantined: { ...notQuarantined, event: 1 },
      deadLetters: 1,
      unsent: { count: 3, since: at - 60_000, isMore: false },
      destinations: [],
      attention: { stalled: 0, refused: 0, unannounced: 1, failing: 1 },
      due: { overdue: 0, atRisk: 0, soon: 0 },
      oldestTransactionMs: expect.any(Number),
    });
    expect(waiting.count).toBe(2);
    expect(waiting.since).not.toBeNull();
    expect(subjects).toContainEqual({ kind: 'order', stage: 'picked', count: 1, since: at - 5000, isMore: false });
    expect(subjects.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  });

  it('name every destination, with the reason why nothing is sent to it', async () => {
    const store = await openIn(database, { now: () => at });
    const refTo = (name: string) => ({ tenant: '9104', id: name, name });
    await store.destinations.pause(refTo('erp'), 'paused by ada');
    await store.destinations.pause(refTo('shop'), 'answered 410', 'dockline');
    await store.destinations.failed(refTo('mail'), 'down');
    const configured = ['default', 'erp'].map(refTo);
    const read = createStoredReading({ ...store, waiting: store.inbox.waiting, configured });
    const sorted = async () => (await read()).destinations.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    expect(await sorted()).toEqual([
      { tenant: '9104', name: 'default', paused: null },
      { tenant: '9104', name: 'erp', paused: 'by hand' },
      { tenant: '9104', name: 'mail', paused: null },
      { tenant: '9104', name: 'shop', paused: 'stopped' },
    ]);
    await store.destinations.resume(refTo('shop'));
    expect((await sorted())[3]).toEqual({ tenant: '9104', name: 'shop', paused: null });
  });

  it('count quarantined deliveries by the category of their reason, and no more than the limit', async () => {
    const store = await openIn(database, { now: () => at });
    const reasons = [
      'unreadable: not JSON',
      'unreadable: not UTF-8',
      'names tenant 7 at the endpoint of 9',
      'no event type',
      'no id of an order',
      "the order's id is not usable",
      "the order item's id is not usable",
      'of an old version',
    ];
    await store.inbox.add(reasons.map((reason, index) => quarantinedEntry(`9104:${index}`, reason)));
    await store.inbox.add([entryOf('a', 21), entryOf('b', 22), entryOf('c', 23)]);
    await store.inbox.quarantine(['9104:21'], 'cannot be recorded: because');
    await store.inbox.quarantineAll('order:9104:b', 'Temporal refuses it: because');
    await store.inbox.quarantine(['9104:23'], 'not an event that this version follows');
    expect((await reading(store)()).quarantined).toEqual({
      unreadable: 2,
      tenant: 1,
      event: 1,
      ignored: 0,
      subject: 3,
      version: 1,
      dispatch: 1,
      recording: 1,
      other: 1,
    });
    const floods = Array.from({ length: COUNTED }, (_, index) => quarantinedEntry(`9104:x${index}`));
    await store.inbox.add(floods);
    const { quarantined } = await reading(store)();
    expect(quarantined).toMatchObject({ recording: 1, dispatch: 1, version: 1, unreadable: 0 });
    expect(Object.values(quarantined).reduce((sum, count) => sum + count, 0)).toBe(COUNTED);
  });
});
