import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { entryOf, parkedEntry } from '../inbox/entries.ts';
import { openTemporaryStore, temporaryFile } from './temporary-store.ts';

describe('inbox rows', () => {
  it('keep the first of two entries with one key, also within one call', async () => {
    const { inbox } = await openTemporaryStore();
    expect(await inbox.add([entryOf('1', 1), entryOf('1', 1), entryOf('1', 2)])).toEqual([true, false, true]);
    expect(await inbox.add([entryOf('1', 2)])).toEqual([false]);
    expect(inbox.waiting()).toBe(2);
  });

  it('let an understood delivery take the place of a parked one, and never the other way round', async () => {
    const { inbox, summary } = await openTemporaryStore();
    await inbox.add([parkedEntry('9104:1'), entryOf('2', 2)]);
    expect(await inbox.add([entryOf('1', 1), parkedEntry('9104:2')])).toEqual([true, false]);
    expect(await summary.parked()).toEqual([]);
    expect(inbox.waiting()).toBe(2);
  });

  it('write all entries of a call or none', async () => {
    const { inbox } = await openTemporaryStore();
    const broken = { ...entryOf('1', 2), body: null as unknown as Uint8Array };
    await expect(inbox.add([entryOf('1', 1), broken])).rejects.toThrow(/NOT NULL/);
    expect(inbox.waiting()).toBe(0);
    expect(await inbox.subjectsAfter(0, 10)).toEqual([]);
  });

  it('count what waits across marking, parking and opening again', async () => {
    const file = temporaryFile();
    const store = await openTemporaryStore({ file });
    await store.inbox.add([entryOf('1', 1), entryOf('1', 2), entryOf('2', 3), parkedEntry('p')]);
    const [first, second] = await store.inbox.subjectsAfter(0, 10);
    await store.inbox.markDispatched([first?.id ?? 0]);
    await store.inbox.markDispatched([first?.id ?? 0]);
    await store.inbox.park([second?.id ?? 0], 'because');
    expect(store.inbox.waiting()).toBe(1);
    await store.close();
    const again = await openTemporaryStore({ file });
    expect(again.inbox.waiting()).toBe(1);
    expect(await again.inbox.subjectsAfter(0, 10)).toMatchObject([{ subjectKey: 'order:9104:2' }]);
    expect(await again.summary.parked()).toEqual([
      { reason: 'because', count: 1 },
      { reason: 'unknown event "X"', count: 1 },
    ]);
  });

  it('count what waits when several calls are under way', async () => {
    const { inbox } = await openTemporaryStore();
    await inbox.add([1, 2, 3, 4].map((n) => entryOf('1', n)));
    const rows = await inbox.subjectsAfter(0, 4);
    await Promise.all([...rows.map(({ id }) => inbox.markDispatched([id])), inbox.add([entryOf('1', 5)])]);
    expect(inbox.waiting()).toBe(1);
  });

  it('are found by an index over the waiting ones, however many are done', async () => {
    const { db } = await openTemporaryStore();
    const waiting = sql`dispatched_at is null and parked_reason is null`;
    const plans = await Promise.all([
      sql`explain query plan select id, subject_key from inbox where ${waiting} and id > 5 order by id limit 9`.execute(
        db,
      ),
      sql`explain query plan select id, event from inbox where ${waiting} and subject_key = 'x' order by id limit 9`.execute(
        db,
      ),
    ]);
    expect(plans.map(({ rows }) => (rows[0] as { detail: string }).detail)).toEqual([
      'SEARCH inbox USING INDEX inbox_waiting (id>?)',
      'SEARCH inbox USING INDEX inbox_waiting_subject (subject_key=?)',
    ]);
  });
});
