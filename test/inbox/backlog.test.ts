import { expect, it } from 'vitest';
import { createBacklog } from '../../src/inbox/backlog.ts';
import { describeOnBoth, openIn } from '../store/databases.ts';
import { entryOf } from './entries.ts';

describeOnBoth('the backlog', (database) => {
  it('reads a long queue in parts, as it is served', async () => {
    const { inbox } = await openIn(database);
    await inbox.add(Array.from({ length: 3000 }, (_, n) => entryOf(String(n), n + 1)));
    let read = 0;
    const subjectsAfter: typeof inbox.subjectsAfter = async (id, limit) => {
      const page = await inbox.subjectsAfter(id, limit);
      read += page.length;
      return page;
    };
    const backlog = createBacklog({ rows: { subjectsAfter } });
    for (let n = 0; n < 100; n += 1) expect(await backlog.next()).toBe(`order:9104:${n}`);
    expect(read).toBeLessThanOrEqual(500);
  });

  it('knows of new rows only when it is woken, and of changed ones when it begins again', async () => {
    const { inbox } = await openIn(database);
    const backlog = createBacklog({ rows: inbox });
    expect(await backlog.next()).toBeUndefined();
    await inbox.add([entryOf('a', 1)]);
    expect(await backlog.next()).toBeUndefined();
    backlog.wake();
    expect(await backlog.next()).toBe('order:9104:a');
    expect(await backlog.next()).toBeUndefined();
    backlog.rewind();
    expect(await backlog.next()).toBe('order:9104:a');
  });

  it('begins again even if it is told so while it reads', async () => {
    const { inbox } = await openIn(database);
    const asked: number[] = [];
    const subjectsAfter: typeof inbox.subjectsAfter = (id, limit) => {
      asked.push(id);
      return inbox.subjectsAfter(id, limit);
    };
    const backlog = createBacklog({ rows: { subjectsAfter } });
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
});
