import { describe, expect, it } from 'vitest';
import { toDefault } from '../support/make.ts';
import { openAnnouncing, openAnswers } from './announcing.ts';

describe('announcements', () => {
  it('are sent one by one, each once it is its turn', async () => {
    const { next, give } = openAnswers();
    const { posts, attempt } = await openAnnouncing({ answer: next });
    const { done } = attempt();
    await expect.poll(posts).toEqual([1]);
    give(0);
    await expect.poll(posts).toEqual([1, 2]);
    give(1);
    await done;
  });

  it('are reported each with the status, the duration and the number of attempts', async () => {
    const { ids, attempt, unsent } = await openAnnouncing({ answer: (place) => ({ status: 200 + place }) });
    expect(await attempt().done).toEqual({
      results: [
        { id: ids[0], status: 201, ms: expect.any(Number), attempts: 1 },
        { id: ids[1], status: 202, ms: expect.any(Number), attempts: 1 },
      ],
      refused: [],
    });
    expect(await unsent()).toEqual([]);
  });

  it('are not sent again once they are acknowledged, but still reported', async () => {
    const { attempt, posts } = await openAnnouncing();
    const first = await attempt().done;
    expect(await attempt().done).toEqual(first);
    expect(posts()).toEqual([1, 2]);
  });

  it('are sent again if they failed, and their results count the attempts', async () => {
    const { attempt, posts } = await openAnnouncing({ answer: (_, nth) => ({ status: nth === 1 ? 503 : 204 }) });
    await expect(attempt().done).rejects.toThrow('answered 503');
    await expect(attempt({ attempt: 2 }).done).rejects.toThrow('answered 503');
    const { results } = await attempt({ attempt: 3 }).done;
    expect(results.map(({ attempts }) => attempts)).toEqual([2, 2]);
    expect(posts()).toEqual([1, 1, 2, 2]);
  });
});

describe('a refusal', () => {
  it('concerns one announcement: the others are delivered in the same attempt', async () => {
    const { ids, attempt, posts, unsent } = await openAnnouncing({
      count: 4,
      answer: (place) => ({ status: place === 2 ? 422 : 204 }),
    });
    const { results, refused } = await attempt().done;
    expect(refused).toEqual([ids[1]]);
    expect(results.map(({ id }) => id)).toEqual([ids[0], ids[2], ids[3]]);
    expect([posts(), await unsent()]).toEqual([[1, 2, 3, 4], [2]]);
  });

  it('is retried as a failure if each is tried by itself, after all others were', async () => {
    const { ids, attempt, posts, unsent } = await openAnnouncing({
      count: 4,
      answer: (place) => ({ status: place % 2 ? 422 : 204 }),
    });
    await expect(attempt({ each: true }).done).rejects.toMatchObject({
      type: 'ERR_DESTINATION_REFUSED',
      nonRetryable: false,
      nextRetryDelay: 1000,
      details: [{ results: [expect.objectContaining({ id: ids[1] }), expect.objectContaining({ id: ids[3] })] }],
    });
    expect([posts(), await unsent()]).toEqual([
      [1, 2, 3, 4],
      [1, 3],
    ]);
  });

  it('does not hold back the others if each is tried by itself and the destination fails', async () => {
    const { attempt, posts, unsent } = await openAnnouncing({
      count: 3,
      answer: (place) => ({ status: place === 1 ? 503 : 204 }),
    });
    await expect(attempt({ each: true }).done).rejects.toMatchObject({ type: 'ERR_DESTINATION_FAILED' });
    expect([posts(), await unsent()]).toEqual([[1, 2, 3], [1]]);
  });

  it('succeeds once each is accepted', async () => {
    const { ids, attempt } = await openAnnouncing({ answer: (_, nth) => ({ status: nth === 1 ? 422 : 204 }) });
    expect((await attempt().done).refused).toEqual(ids);
    const { results, refused } = await attempt({ each: true }).done;
    expect([results.length, refused]).toEqual([2, []]);
  });
});

describe('a cancellation', () => {
  it('leaves the exchange that is under way to its end, and begins no other', async () => {
    const { next, give } = openAnswers();
    const { store, ids, attempt, posts, unsent } = await openAnnouncing({ answer: next });
    const { environment, done } = attempt();
    await expect.poll(posts).toEqual([1]);
    environment.cancel();
    give(0);
    await expect(done).rejects.toThrow('CANCELLED');
    expect([posts(), await unsent()]).toEqual([[1], [2]]);
    expect(await store.outbox.results('default', ids)).toMatchObject([{ id: ids[0], status: 204, attempts: 1 }]);
    const later = attempt();
    await expect.poll(posts).toEqual([1, 2]);
    give(1);
    await later.done;
  });
});

describe('an announcement that another process sends', () => {
  /** Opens two announcements, the first of which another process has leased, and counts how often leases are asked for. */
  async function openLeased(options: Parameters<typeof openAnnouncing>[0] = {}) {
    let asked = 0;
    const opened = await openAnnouncing({ leaseMs: 60_000, ...options });
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
    await store.outbox.sent(toDefault(ids[0] ?? ''), { status: 201, ms: 5 });
    expect((await done).results[0]).toEqual({ id: ids[0], status: 201, ms: 5, attempts: 1 });
    expect(posts()).toEqual([2]);
  });

  it('is left to it for as long as the answer may take', async () => {
    let time = 1_000_000;
    const { next, give } = openAnswers();
    const { store, deps, announcements, attempt, posts, asked } = await openLeased({ now: () => time, answer: next });
    await store.outbox.release(announcements);
    const first = attempt();
    await expect.poll(posts).toEqual([1]);
    // Its exchange began up to a second after its lease, where it waited for the others of its batch.
    time += deps.announceTimeoutMs + 1_000;
    const before = asked();
    const other = attempt();
    await expect.poll(asked).toBeGreaterThan(before + 1);
    expect(posts()).toEqual([1]);
    give(0);
    give(1);
    await Promise.all([first.done, other.done]);
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

it('leaves a destination alone for as long as it asks, and then tries one announcement first', async () => {
  let time = Date.now();
  const { next, asked, give } = openAnswers();
  const { ids, attempt, posts } = await openAnnouncing({ count: 2, answer: next, now: () => time });
  const [first, second] = ids.map((id) => () => attempt({ ids: [id] }).done) as [
    () => Promise<unknown>,
    () => Promise<unknown>,
  ];
  const busy = { type: 'ERR_DESTINATION_BUSY', message: 'the destination asked to wait' };
  give(0, { status: 429, headers: { 'retry-after': '30' } });
  await expect(first()).rejects.toMatchObject({ type: 'ERR_DESTINATION_FAILED' });
  await expect(second()).rejects.toMatchObject(busy);
  time += 29_999;
  await expect(first()).rejects.toMatchObject(busy);
  expect(posts()).toEqual([1]);
  time += 1;
  const trying = first();
  await asked(1);
  await expect(second()).rejects.toMatchObject(busy);
  give(1);
  await trying;
  give(2);
  await second();
  expect(posts()).toEqual([1, 1, 2]);
});
