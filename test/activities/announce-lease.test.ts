import { describe, expect, it } from 'vitest';
import { openAnnouncing } from './announcing.ts';

describe('an announcement that another process sends', () => {
  /** Counts how often leases are asked for. */
  async function openLeased(now?: () => number) {
    let asked = 0;
    const opened = await openAnnouncing({ leaseMs: 60_000, ...(now && { now }) });
    const { deps, store, announcements } = opened;
    await store.outbox.release(announcements.slice(1));
    const outbox = { ...store.outbox };
    Object.assign(deps, {
      outbox: {
        ...outbox,
        lease: (...args: Parameters<typeof outbox.lease>) => {
          asked += 1;
          return outbox.lease(...args);
        },
      },
    });
    return { ...opened, asked: () => asked };
  }

  it('is waited for, and not sent again', async () => {
    const { store, ids, attempt, posts, asked } = await openLeased();
    const { done } = attempt();
    await expect.poll(asked).toBeGreaterThan(1);
    expect(posts()).toEqual([]);
    await store.outbox.sent(ids[0] ?? '', { status: 201, ms: 5 });
    expect((await done).results[0]).toEqual({ id: ids[0], status: 201, ms: 5, attempts: 1 });
    expect(posts()).toEqual([2]);
  });

  it('is sent once the lease of a dead process has expired', async () => {
    let time = 1_000_000;
    const { attempt, posts, asked } = await openLeased(() => time);
    const { done } = attempt();
    await expect.poll(asked).toBeGreaterThan(1);
    time += 59_999;
    const before = asked();
    await expect.poll(asked).toBeGreaterThan(before + 1);
    expect(posts()).toEqual([]);
    time += 1;
    await done;
    expect(posts()).toEqual([1, 2]);
  });

  it('is not waited for by an attempt that is canceled', async () => {
    const { attempt, posts, asked } = await openLeased();
    const { environment, done } = attempt();
    await expect.poll(asked).toBeGreaterThan(1);
    environment.cancel();
    await expect(done).rejects.toThrow('CANCELLED');
    expect(posts()).toEqual([]);
  });
});
