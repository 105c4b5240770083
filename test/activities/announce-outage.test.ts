import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { hold } from '../support/make.ts';
import { openAnnouncing } from './announcing.ts';
import { troubleOf } from './deps.ts';

/** The clock stands still until it is set; nothing else is affected. */
function stopClock(): number {
  const now = Date.UTC(2026, 1, 11, 12);
  vi.useFakeTimers({ toFake: ['Date'], now });
  onTestFinished(() => void vi.useRealTimers());
  return now;
}

describe('an outage of the destination', () => {
  it.each([
    ['answers 503', { status: 503 }, 'ERR_DESTINATION_FAILED', 503],
    ['answers 401, which concerns them all', { status: 401 }, 'ERR_DESTINATION_FAILED', 401],
    ['breaks connections off', 'reset', 'ERR_DESTINATION_UNREACHABLE', null],
  ] as const)('holds back what follows, so that the order is kept: it %s', async (_, reply, type, status) => {
    const { store, ids, attempt, posts, unsent } = await openAnnouncing({ count: 3, answer: () => reply });
    await expect(attempt().done).rejects.toMatchObject({ type, nonRetryable: false, details: [{ results: [] }] });
    expect([new Set(posts()), await unsent()]).toEqual([new Set([1]), [1, 2, 3]]);
    const row = store.db.selectFrom('outbox').select(['attempts', 'last_status', 'last_ms', 'last_error']);
    expect(await row.where('announcement', '=', ids[0] ?? '').executeTakeFirst()).toEqual({
      attempts: 1,
      last_status: status,
      last_ms: expect.any(Number),
      last_error: expect.stringContaining('POST http://127.0.0.1'),
    });
  });

  it('holds back what follows on one that was refused, too, and reports what was acknowledged', async () => {
    const statuses = [204, 422, 503, 204];
    const { ids, attempt, posts } = await openAnnouncing({
      count: 4,
      answer: (place) => ({ status: statuses[place - 1] ?? 500 }),
    });
    await expect(attempt().done).rejects.toMatchObject({
      type: 'ERR_DESTINATION_FAILED',
      details: [{ results: [expect.objectContaining({ id: ids[0], status: 204 })] }],
    });
    expect(posts()).toEqual([1, 2, 3]);
  });

  it('is reported until everything is sent', async () => {
    const now = stopClock();
    const { store, attempt } = await openAnnouncing({ answer: (_, nth) => ({ status: nth < 3 ? 503 : 204 }) });
    await expect(attempt().done).rejects.toThrow();
    vi.setSystemTime(now + 1000);
    await expect(attempt({ attempt: 2 }).done).rejects.toThrow();
    expect(await troubleOf(store, hold, 'announcing')).toEqual({
      operation: 'announce',
      destination: 'default',
      code: 'ERR_DESTINATION_FAILED',
      status: 503,
      at: now + 1000,
      since: now,
      attempts: 2,
      nextTryAt: now + 3000,
      error: expect.stringContaining('answered 503'),
    });
    await expect(attempt({ attempt: 3 }).done).rejects.toThrow();
    await expect(attempt({ attempt: 3 }).done).rejects.toThrow();
    expect(await troubleOf(store, hold, 'announcing')).not.toBeNull();
    await attempt({ attempt: 3 }).done;
    expect(await troubleOf(store, hold, 'announcing')).toBeNull();
  });

  it('is still reported while an announcement is refused or another one waits', async () => {
    const { store, ids, attempt } = await openAnnouncing({
      answer: (place, nth) => (nth === 1 ? { status: 503 } : { status: place === 2 && nth < 4 ? 422 : 204 }),
    });
    await expect(attempt().done).rejects.toThrow();
    await attempt({ ids: ids.slice(0, 1) }).done;
    expect(await troubleOf(store, hold, 'announcing')).not.toBeNull();
    await expect(attempt().done).rejects.toThrow();
    expect((await attempt().done).refused).toEqual([ids[1]]);
    expect(await troubleOf(store, hold, 'announcing')).not.toBeNull();
  });
});

describe('an announcement that gets no acknowledgment', () => {
  const onlyFirstFails = { count: 3, answer: (place: number) => ({ status: place === 1 ? 503 : 204 }) };

  it('holds back those behind it for the first three attempts', async () => {
    const { attempt, posts } = await openAnnouncing(onlyFirstFails);
    await expect(attempt({ attempt: 3 }).done).rejects.toMatchObject({ type: 'ERR_DESTINATION_FAILED' });
    expect(posts()).toEqual([1]);
  });

  it('no longer holds them back from the fourth on, if the destination takes them', async () => {
    const { ids, attempt, posts, unsent } = await openAnnouncing(onlyFirstFails);
    for (const number of [1, 2, 3]) await expect(attempt({ attempt: number }).done).rejects.toThrow();
    const { results, refused } = await attempt({ attempt: 4 }).done;
    expect([posts(), await unsent(), refused]).toEqual([[1, 1, 1, 1, 2, 3], [1], [ids[0]]]);
    expect(results).toHaveLength(2);
  });

  it('holds them back on if another one fails as well', async () => {
    const { attempt, posts } = await openAnnouncing({
      count: 3,
      answer: (place) => ({ status: place === 1 ? 503 : 502 }),
    });
    for (const number of [1, 2, 3, 4]) await expect(attempt({ attempt: number }).done).rejects.toThrow('answered 503');
    expect(posts()).toEqual([1, 1, 1, 1, 2]);
  });

  it('holds them back on if the attempts before it found no place', async () => {
    const { attempt, posts } = await openAnnouncing(onlyFirstFails);
    await expect(attempt({ attempt: 40 }).done).rejects.toThrow('answered 503');
    expect(posts()).toEqual([1]);
  });

  it('is retried if those behind it were acknowledged before, which does not say that the destination takes anything now', async () => {
    const { store, ids, attempt, posts } = await openAnnouncing(onlyFirstFails);
    for (const id of ids.slice(1)) await store.outbox.sent({ id, destination: 'default' }, { status: 204, ms: 1 });
    for (const number of [1, 2, 3, 4])
      await expect(attempt({ attempt: number }).done).rejects.toMatchObject({ type: 'ERR_DESTINATION_FAILED' });
    expect(posts()).toEqual([1, 1, 1, 1]);
  });

  it('is retried if it is the last', async () => {
    const { attempt, posts } = await openAnnouncing({ answer: (place) => ({ status: place === 2 ? 503 : 204 }) });
    await expect(attempt({ attempt: 4 }).done).rejects.toMatchObject({ type: 'ERR_DESTINATION_FAILED' });
    expect(posts()).toEqual([1, 2]);
  });

  it('is dead-lettered after its time, to which the last wait is shortened, and the next one is sent', async () => {
    const now = stopClock();
    const { store, ids, attempt, posts } = await openAnnouncing({ ...onlyFirstFails, announceForMs: 10_000 });
    await expect(attempt({ attempt: 3 }).done).rejects.toMatchObject({ nextRetryDelay: 4000 });
    vi.setSystemTime(now + 9_999);
    await expect(attempt({ attempt: 3 }).done).rejects.toMatchObject({ nextRetryDelay: 1 });
    expect((await store.subjects.load(hold, 0)).saved).toMatchObject({ isUnannounced: false });
    vi.setSystemTime(now + 10_000);
    const { results, refused } = await attempt({ attempt: 3 }).done;
    expect(results).toEqual([
      {
        id: ids[0],
        status: 503,
        ms: expect.any(Number),
        attempts: 3,
        deadLettered: expect.stringContaining('answered 503'),
      },
      expect.objectContaining({ id: ids[1], status: 204 }),
      expect.objectContaining({ id: ids[2], status: 204 }),
    ]);
    expect([posts(), refused]).toEqual([[1, 1, 1, 2, 3], []]);
    expect((await store.subjects.load(hold, 0)).saved).toMatchObject({ isUnannounced: true });
    expect(await troubleOf(store, hold, 'announcing')).toBeNull();
  });

  it('is dead-lettered alone if each is tried by itself', async () => {
    const now = stopClock();
    const { attempt, unsent } = await openAnnouncing({ announceForMs: 10_000, answer: () => ({ status: 422 }) });
    await expect(attempt({ each: true, attempt: 30 }).done).rejects.toMatchObject({ nextRetryDelay: 10_000 });
    vi.setSystemTime(now + 10_000);
    const { results } = await attempt({ each: true, attempt: 31 }).done;
    expect(results.map(({ deadLettered }) => deadLettered)).toEqual(
      Array(2).fill(expect.stringContaining('answered 422')),
    );
    expect(await unsent()).toEqual([]);
  });
});
