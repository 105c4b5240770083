import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createInbox } from '../../src/inbox/inbox.ts';
import type { InboxRows } from '../../src/inbox/tables/inbox-rows.ts';
import { describeOnEither, openIn } from '../store/databases.ts';
import { observe, waitingKeys } from '../store/recordings.ts';
import { entryOf, quarantinedEntry } from '../support/make.ts';

describeOnEither('the inbox', (database) => {
  /** Opens an inbox on an empty store; `sizes` collects the sizes of its transactions. */
  async function open({ limit = 1000, now = () => performance.now() } = {}) {
    const store = await openIn(database);
    const sizes: number[] = [];
    const add: InboxRows['add'] = (entries) => {
      sizes.push(entries.length);
      return store.inbox.add(entries);
    };
    return { store, sizes, inbox: createInbox({ rows: { ...store.inbox, add }, limit, now }) };
  }

  it('writes entries of one turn in one transaction', async () => {
    const { inbox, sizes } = await open();
    const outcomes = await Promise.all([1, 2, 3].map((n) => inbox.add(entryOf(String(n), n))));
    expect(outcomes).toEqual(['accepted', 'accepted', 'accepted']);
    expect(sizes).toEqual([3]);
  });

  it('collects entries while every turn brings more, up to a limit', async () => {
    let time = 0;
    const { inbox, sizes } = await open({ limit: 100_000, now: () => time });
    const outcomes: Promise<unknown>[] = [];
    async function addInTurns(until: () => boolean): Promise<void> {
      do {
        // Scheduled before the inbox's own turn, which then finds the entry.
        const next = turn();
        outcomes.push(inbox.add(entryOf('1', outcomes.length)));
        await next;
        time += 1;
      } while (!until());
    }

    await addInTurns(() => outcomes.length === 3);
    await Promise.all(outcomes);
    expect(sizes).toEqual([3]);
    await addInTurns(() => sizes.length > 2);
    await Promise.all(outcomes);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(outcomes.length);
  });

  it('writes large deliveries in several transactions', async () => {
    const { inbox, sizes } = await open();
    const body = Buffer.alloc(3_000_000);
    await Promise.all([1, 2, 3, 4, 5].map((n) => inbox.add({ ...entryOf('1', n), body })));
    expect(sizes).toEqual([2, 2, 1]);
  });

  it('has written the row when it answers', async () => {
    const { store, inbox } = await open();
    await inbox.add(entryOf('1', 1));
    expect(await waitingKeys(store)).toEqual(['order:9104:1']);
  });

  it('reports a repeated delivery as a duplicate, also within one transaction', async () => {
    const { inbox } = await open();
    const outcomes = await Promise.all([
      inbox.add(entryOf('1', 1)),
      inbox.add(entryOf('1', 1)),
      inbox.add(quarantinedEntry('p')),
    ]);
    expect(outcomes).toEqual(['accepted', 'duplicate', 'quarantined']);
    expect(await inbox.add(quarantinedEntry('p'))).toBe('duplicate');
    expect(inbox.counts()).toEqual({ accepted: 1, duplicates: 2, quarantined: 1 });
  });

  it('rejects only the row that cannot be written, not the others', async () => {
    const { store, inbox } = await open();
    await database.refuseEvent(store, '9104:2');
    const settled = await Promise.allSettled([1, 2, 3].map((n) => inbox.add(entryOf('1', n))));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(store.inbox.waiting()).toBe(2);
  });

  it('is full at its limit of waiting rows, and accepts more once some are observed', async () => {
    const { store, inbox } = await open({ limit: 2 });
    const settled = await Promise.allSettled([1, 2, 3].map((n) => inbox.add(entryOf('1', n))));
    expect(settled[2]).toMatchObject({
      status: 'rejected',
      reason: { message: 'The inbox is full' },
    });
    await observe(store, '1');
    expect(await inbox.add(entryOf('1', 4))).toBe('accepted');
  });

  it('writes entries from before its closing and refuses later ones', async () => {
    const { inbox } = await open();
    const before = inbox.add(entryOf('1', 1));
    const closed = inbox.close();
    await expect(inbox.add(entryOf('1', 2))).rejects.toThrow('The inbox is closing');
    await closed;
    expect(await before).toBe('accepted');
    expect(await inbox.isReady()).toBe(false);
  });

  it('is not ready while the store cannot be written, and recovers without a delivery', async () => {
    const { store, inbox } = await open();
    const release = await database.refuseWrites(store);
    const large = { ...entryOf('1', 1), body: Buffer.alloc(100_000) };
    await expect(inbox.add(large)).rejects.toMatchObject({ code: 'ERR_STORE_UNAVAILABLE' });
    await release();
    expect(await inbox.isReady()).toBe(true);
    expect(await inbox.add(large)).toBe('accepted');
  });

  it('reports waiting rows after their commit, and only then', async () => {
    const store = await openIn(database);
    const seen: number[] = [];
    const inbox = createInbox({ rows: store.inbox, limit: 10, onWaiting: () => seen.push(store.inbox.waiting()) });
    await inbox.add(quarantinedEntry('p'));
    await inbox.add(entryOf('1', 1));
    await inbox.add(entryOf('1', 1));
    expect(seen).toEqual([1]);
  });

  it('accepts thousands of concurrent deliveries, each exactly once', async () => {
    const { store, inbox, sizes } = await open({ limit: 10_000 });
    const outcomes = await Promise.all(
      Array.from({ length: 3000 }, (_, n) => inbox.add(entryOf(String(n % 50), n % 2000))),
    );
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(2000);
    await expect.poll(store.inbox.waiting).toBe(2000);
    expect(sizes.length).toBeLessThan(20);
  });
});
