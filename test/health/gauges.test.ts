import { expect, it } from 'vitest';
import type { Store } from '../../src/app/store.ts';
import type { QuarantineReason } from '../../src/domain/quarantine.ts';
import { createStoredReading } from '../../src/health/gauges.ts';
import { countQuarantined } from '../../src/inbox/tables/counts.ts';
import { COUNTED } from '../../src/store/bounded-count.ts';
import { record } from '../destinations/record.ts';
import { describeOnBoth, openIn } from '../store/databases.ts';
import { freshReadings } from '../store/fresh-readings.ts';
import { recordAs } from '../store/recordings.ts';
import { announcementOf, entryOf, order, quarantinedEntry, toDefault } from '../support/make.ts';

const at = Date.UTC(2026, 1, 11, 12);
const reading = (store: Store) =>
  createStoredReading({ ...store, readings: freshReadings(store), waiting: store.inbox.waiting });
const none = { count: 0, since: null, isMore: false };
const since = (time: number) => ({ time, eventId: null });

describeOnBoth('the gauges of the store', (database) => {
  it('count nothing in an empty store, but name every open stage', async () => {
    const store = await openIn(database, { now: () => at });
    const { subjects, ...rest } = await reading(store)();
    expect(rest).toMatchObject({
      at,
      waiting: { count: 0, since: null },
      outgoing: { unsent: none, replays: none, onHold: none, deadLetters: none },
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
      outgoing: {
        unsent: { count: 3, since: at - 60_000, isMore: false },
        replays: none,
        onHold: none,
        deadLetters: { count: 1, since: at - 30_000, isMore: false },
      },
    });
    expect(waiting.count).toBe(2);
    expect(waiting.since).not.toBeNull();
    expect(subjects).toContainEqual({ kind: 'order', stage: 'picked', count: 1, since: at - 5000, isMore: false });
    expect(subjects.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  });

  it('count quarantined deliveries by the category of their reason, of one that floods no more than the limit', async () => {
    const store = await openIn(database, { now: () => at });
    const reasons: readonly QuarantineReason[] = [
      { code: 'unreadable', why: 'not JSON' },
      { code: 'unreadable', why: 'not UTF-8' },
      { code: 'otherTenant', tenant: '7', owner: '9' },
      { code: 'noName' },
      { code: 'ignoredName', name: 'X', families: [] },
      { code: 'noId', family: 'order' },
      { code: 'unusableId', family: 'order' },
      { code: 'unusableId', family: 'orderItem' },
    ];
    await store.inbox.add(reasons.map((reason, index) => quarantinedEntry(`9104:${index}`, reason)));
    await store.inbox.add([entryOf('a', 21), entryOf('b', 22), entryOf('c', 23)]);
    await store.inbox.quarantine(['9104:21'], { code: 'unrecordable', message: 'because' });
    await store.inbox.quarantineAll('order:9104:b', { code: 'rejected', message: 'because' });
    await store.inbox.quarantine(['9104:23'], { code: 'otherEvent' });
    const counted = {
      unreadable: 2,
      tenant: 1,
      event: 1,
      ignored: 1,
      subject: 3,
      version: 1,
      dispatch: 1,
      recording: 1,
    };
    const byCategory = async () => {
      return Object.fromEntries(
        [...(await countQuarantined(store.reads))].map(([category, { count }]) => [category, count]),
      );
    };
    expect(await byCategory()).toEqual(counted);
    const floods = Array.from({ length: COUNTED }, (_, index) => quarantinedEntry(`9104:x${index}`));
    await store.inbox.add(floods);
    expect(await byCategory()).toEqual({ ...counted, event: COUNTED + 1 });
  });
});
