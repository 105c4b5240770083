import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { announceInline } from '../../activities/announce.ts';
import { hold } from '../support/make.ts';
import { openAnnouncing, openAnswers } from './announcing.ts';
import { troubleOf } from './deps.ts';

const circuit = { tenant: '9104', operation: 'announce to default' } as const;

/** Announcements that were recorded and leased by this process, which sends them at once. */
async function open(options: Parameters<typeof openAnnouncing>[0] = {}) {
  const opened = await openAnnouncing({ leaseMs: 60_000, ...options });
  const { deps, store, ids, announcements } = opened;
  return {
    ...opened,
    async send() {
      const { default: announced } = await announceInline(deps, hold, announcements);
      if (!announced) throw new Error('nothing was leased');
      return announced;
    },
    /** The places of those that this process still has to itself. */
    async leased() {
      const rows = await store.db.selectFrom('outbox').select(['announcement as id', 'leased_until']).execute();
      return rows.filter((row) => row.leased_until !== null).map(({ id }) => ids.indexOf(id) + 1);
    },
  };
}

it('sends everything in its order if all is accepted, and leaves nothing', async () => {
  const { ids, send, posts, leased, unsent } = await open({ count: 3 });
  expect(await leased()).toEqual([1, 2, 3]);
  expect(await send()).toEqual({
    results: ids.map((id) => ({ id, status: 204, ms: expect.any(Number), attempts: 1 })),
    refused: [],
    left: [],
  });
  expect([posts(), await unsent(), await leased()]).toEqual([[1, 2, 3], [], []]);
});

it('releases the rest after a failure, and begins a cooldown', async () => {
  const { deps, store, ids, send, posts, leased } = await open({
    count: 3,
    answer: (place) => ({ status: place === 2 ? 503 : 204 }),
  });
  expect(deps.breaker.isOpen(circuit)).toBe(false);
  const { results, refused, left } = await send();
  expect(results.map(({ id }) => id)).toEqual([ids[0]]);
  expect([refused, left]).toEqual([[], [ids[1], ids[2]]]);
  expect([posts(), await leased()]).toEqual([[1, 2], []]);
  expect(deps.breaker.isOpen(circuit)).toBe(true);
  expect(await troubleOf(store, hold, 'announcing')).toMatchObject({
    operation: 'announce',
    attempts: 1,
    error: expect.stringContaining('answered 503'),
  });
});

it.each([
  ['30', 30_000],
  ['86400', 600_000],
  ['0', undefined],
])('has the rest wait for as long as the destination asks, up to the cap: %s seconds', async (asked, waitMs) => {
  const { ids, send } = await open({ answer: () => ({ status: 503, headers: { 'retry-after': asked } }) });
  expect(await send()).toEqual({ results: [], refused: [], left: ids, ...(waitMs !== undefined && { waitMs }) });
});

/** Opens two announcements, and what the process awaits before it ends. */
async function openBackground() {
  const { next, asked, give } = openAnswers();
  const { deps, send, unsent } = await open({ count: 2, answer: next });
  const background: Promise<unknown>[] = [];
  Object.assign(deps, { inBackground: (work: Promise<unknown>) => background.push(work) });
  return { asked, give, send, unsent, background };
}

it('hands over the exchange that goes on, which ends when its answer is recorded', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { asked, give, send, unsent, background } = await openBackground();
  const sending = send();
  await asked(0);
  vi.advanceTimersByTime(1000);
  await sending;
  vi.useRealTimers();
  expect(await unsent()).toEqual([1, 2]);
  give(0);
  await Promise.all(background);
  expect(await unsent()).toEqual([2]);
});

it('hands over the whole attempt, so that a process that stops does not end between two exchanges', async () => {
  const { asked, give, send, unsent, background } = await openBackground();
  void send();
  await asked(0);
  const awaited = Promise.all([...background]);
  give(0);
  await asked(1);
  give(1);
  await awaited;
  expect(await unsent()).toEqual([]);
});

it('releases the rest if the destination is late, whose answer counts when it arrives, and notes no failure', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { next, asked, give } = openAnswers();
  const { store, ids, send, posts, leased, attempt } = await open({ count: 3, answer: next });
  const sending = send();
  give(0);
  await asked(1);
  vi.advanceTimersByTime(999);
  expect(await Promise.race([sending, nextTurn('waits')])).toBe('waits');
  vi.advanceTimersByTime(1);
  expect(await sending).toMatchObject({ results: [{ id: ids[0] }], refused: [], left: [ids[1], ids[2]] });
  expect(await leased()).toEqual([2]);
  expect(await troubleOf(store, hold, 'announcing')).toBeNull();
  vi.useRealTimers();

  const later = attempt({ ids: ids.slice(1) });
  give(1, { status: 202 });
  await expect.poll(posts).toEqual([1, 2, 3]);
  give(2);
  expect(await later.done).toMatchObject({ results: [{ id: ids[1], status: 202, attempts: 1 }, { id: ids[2] }] });
  expect(posts()).toEqual([1, 2, 3]);
});
