import { expect, it, onTestFinished } from 'vitest';
import { createBacklog } from '../../src/inbox/backlog.ts';
import type { InboxRows } from '../../src/inbox/rows.ts';
import { describeOnBoth, openIn } from '../store/databases.ts';
import { entryOf } from './entries.ts';

const onReady = () => {};

/** Collects the ids after which rows are read. */
function watch(inbox: InboxRows) {
  const asked: number[] = [];
  const waitingAfter: InboxRows['waitingAfter'] = (id, limit) => {
    asked.push(id);
    return inbox.waitingAfter(id, limit);
  };
  return { asked, waitingAfter };
}

describeOnBoth('the backlog', (database) => {
  it('reads a long queue page by page as it is consumed', async () => {
    const { inbox } = await openIn(database);
    await inbox.add(Array.from({ length: 3000 }, (_, n) => entryOf(String(n), n + 1)));
    let read = 0;
    const waitingAfter: typeof inbox.waitingAfter = async (id, limit) => {
      const page = await inbox.waitingAfter(id, limit);
      read += page.length;
      return page;
    };
    const backlog = createBacklog({ rows: { ...inbox, waitingAfter }, onReady });
    for (let n = 0; n < 100; n += 1) expect((await backlog.next())?.key).toBe(`order:9104:${n}`);
    expect(read).toBeLessThanOrEqual(500);
  });

  it('reads new rows only when it is woken or polls', async () => {
    const { inbox } = await openIn(database);
    const backlog = createBacklog({ rows: inbox, onReady });
    expect(await backlog.next()).toBeUndefined();
    await inbox.add([entryOf('a', 1)]);
    expect(await backlog.next()).toBeUndefined();
    backlog.wake();
    expect((await backlog.next())?.key).toBe('order:9104:a');
    await inbox.add([entryOf('b', 2)]);
    expect(await backlog.next()).toBeUndefined();
    backlog.poll();
    expect((await backlog.next())?.key).toBe('order:9104:b');
    backlog.poll();
    expect(await backlog.next()).toBeUndefined();
  });

  it('finds a row that becomes visible later than a newer one by rewinding', async () => {
    const { inbox } = await openIn(database);
    await inbox.add([entryOf('late', 1), entryOf('b', 2)]);
    let hidden = 'order:9104:late';
    const waitingAfter: typeof inbox.waitingAfter = async (id, limit) =>
      (await inbox.waitingAfter(id, limit)).filter(({ subjectKey }) => subjectKey !== hidden);
    const backlog = createBacklog({ rows: { waitingAfter }, onReady });
    expect((await backlog.next())?.key).toBe('order:9104:b');
    hidden = '';
    backlog.wake();
    expect(await backlog.next()).toBeUndefined();
    backlog.rewind();
    expect((await backlog.next())?.key).toBe('order:9104:late');
  });

  it('rewinds by four seconds, and not to the beginning', async () => {
    const { inbox } = await openIn(database);
    const { asked, waitingAfter } = watch(inbox);
    let time = 5_000_000;
    const backlog = createBacklog({ rows: { waitingAfter }, onReady, now: () => time });
    for (let n = 1; n <= 4; n += 1) {
      await inbox.add([entryOf(String(n), n)]);
      backlog.poll();
      while (await backlog.next());
      backlog.rewind();
      time += 4000;
    }
    while (await backlog.next());
    expect(asked).toEqual([0, 0, 0, 2, 3]);
  });

  it('can be rewound while it reads', async () => {
    const { inbox } = await openIn(database);
    const { asked, waitingAfter } = watch(inbox);
    const backlog = createBacklog({ rows: { waitingAfter }, onReady });
    await inbox.add([entryOf('a', 1), entryOf('b', 2)]);
    await backlog.next();
    await inbox.add([entryOf('c', 3)]);
    backlog.wake();
    const reading = backlog.next();
    backlog.rewind();
    await reading;
    await backlog.next();
    expect(asked).toEqual([0, 2, 0]);
  });

  it.each([
    ['immediately if it is the only row', 1, 0],
    ['after 5 ms per other row', 21, 100],
    ['after a second at most', 3000, 1000],
  ])('makes a new key ready %s', async (_, rows, afterMs) => {
    const { inbox } = await openIn(database);
    await inbox.add(Array.from({ length: rows }, (_, n) => ({ ...entryOf('a', n + 1), receivedAt: 5_000_000 })));
    let time = 5_000_000;
    const backlog = createBacklog({ rows: inbox, onReady, now: () => time });
    onTestFinished(backlog.close);
    if (afterMs > 0) expect(await backlog.next()).toBeUndefined();
    time += afterMs - 1;
    if (afterMs > 0) expect(await backlog.next()).toBeUndefined();
    time += 1;
    expect((await backlog.next())?.key).toBe('order:9104:a');
  });

  it('makes a new key ready after an idle gap, however many rows wait', async () => {
    const { inbox } = await openIn(database);
    await inbox.add(Array.from({ length: 300 }, (_, n) => ({ ...entryOf('a', n + 1), receivedAt: 5_000_000 })));
    let time = 5_000_000;
    const backlog = createBacklog({ rows: inbox, onReady, now: () => time });
    onTestFinished(backlog.close);
    for (let woken = 0; woken < 5; woken += 1) {
      backlog.wake();
      expect(await backlog.next()).toBeUndefined();
      time += 49;
    }
    expect(await backlog.next()).toBeUndefined();
    time += 1;
    expect((await backlog.next())?.key).toBe('order:9104:a');
  });

  it('reports when the next key has become ready', async () => {
    const { inbox } = await openIn(database);
    await inbox.add(Array.from({ length: 100 }, (_, n) => ({ ...entryOf('a', n + 1), receivedAt: Date.now() + 500 })));
    const ready = Promise.withResolvers<void>();
    const backlog = createBacklog({ rows: inbox, onReady: ready.resolve });
    onTestFinished(backlog.close);
    expect(await backlog.next()).toBeUndefined();
    await ready.promise;
    await expect.poll(async () => (await backlog.next())?.key).toBe('order:9104:a');
  });
});
