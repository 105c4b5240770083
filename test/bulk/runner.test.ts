import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../src/app/store.ts';
import type { BulkItems } from '../../src/bulk/items.ts';
import type { Performer } from '../../src/bulk/runner.ts';
import { findBulk } from '../../src/bulk/views/row.ts';
import { record } from '../destinations/record.ts';
import { describeOnEither, describeOnPostgres, openIn } from '../store/databases.ts';
import { toDefault } from '../support/make.ts';
import { resendingOf, runnerOf } from './runner-of.ts';

const actor = { token: 'lead', operator: null };

/** Stores a confirmed bulk action. */
async function confirmed({ bulk }: Store, total: number): Promise<number> {
  const created_at = Date.now();
  const named = { action: 'resend', filter: '{}', total, sample: '[]' } as const;
  const id = await bulk.create({
    ...named,
    created_at,
    created_by: 'lead',
    token: 'lead',
    expires_at: created_at + 60_000,
  });
  expect(await bulk.confirm(id, actor)).toBe(true);
  return id;
}

/** Returns a bulk action with what failed. */
const find = ({ reads }: Store, id: number) => findBulk(reads, id);

/** Runs bulk actions until one is over. */
async function runToEnd(store: Store, id: number, ...how: readonly [Performer, Pick<BulkItems, 'next'>?]) {
  const runner = runnerOf(store, ...how);
  runner.start();
  onTestFinished(() => runner.close());
  await expect.poll(async () => (await find(store, id))?.state).not.toBe('running');
  await runner.close();
  return await find(store, id);
}

/** Items that are numbers. */
const numbers = (count: number): Pick<BulkItems, 'next'> => ({
  async next(_query, { after, limit }) {
    const first = Number(after) + 1;
    const targets = Array.from({ length: Math.min(limit, count - first + 1) }, (_, index) => String(first + index));
    return targets.length === 0 ? undefined : { targets, position: targets.at(-1) ?? '' };
  },
});

/** Notes the items that are tried, two at a time, all of which succeed by default. */
const noting = (tried: string[], perform?: Performer['perform']): Performer => ({
  chunk: 2,
  async perform(targets, bulk) {
    const result = (await perform?.(targets, bulk)) ?? { done: targets.length };
    tried.push(...targets.map((target) => `${bulk.id}/${target}`));
    return result;
  },
});

/** Makes announcements of as many orders and gives them up. */
async function giveUp(store: Store, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let order = 1; order <= count; order += 1) ids.push(...(await record(store, `order:9104:${order}`)));
  for (const id of ids) await store.outbox.deadLetter(toDefault(id), 'answered 503');
  return ids;
}

const deadLettersOf = ({ db }: Store) =>
  db
    .selectFrom('outbox')
    .select(['announcement as id', 'dead_letter_reason as reason'])
    .where('dead_lettered_at', 'is not', null)
    .execute();

describeOnEither('the runner of bulk actions', (database) => {
  it('goes on after a kill where the last one stopped, and repeats nothing', async () => {
    const location = await database.locate();
    let later = 0;
    const before = await openIn(database, { location });
    const ids = await giveUp(before, 10);
    const id = await confirmed(before, 10);
    await before.close();

    const child = spawn(process.execPath, [join(import.meta.dirname, 'doomed-runner.ts'), JSON.stringify(location)]);
    onTestFinished(() => void child.kill('SIGKILL'));
    const [, signal] = await once(child, 'close');
    expect(signal).toBe('SIGKILL');

    const store = await openIn(database, { location, now: () => Date.now() + later });
    expect(await find(store, id)).toMatchObject({ state: 'running', done: 6, failed: 0, total: 10 });
    // One of those that were resent is given up again meanwhile.
    const resent = await store.db
      .selectFrom('outbox')
      .select('announcement as id')
      .where('dead_lettered_at', 'is', null)
      .execute();
    const again = resent.at(-1)?.id ?? '';
    later = 60_000;
    expect(await store.outbox.lease(toDefault(again), 1)).toMatchObject({ id: again });
    await store.outbox.deadLetter(toDefault(again), 'answered 410');
    expect(await runToEnd(store, id, resendingOf(store))).toMatchObject({ state: 'done', done: 10, failed: 0 });
    expect(ids).toContain(again);
    expect(await deadLettersOf(store)).toEqual([{ id: again, reason: 'answered 410' }]);
  });

  it('tries each item once, a few of each bulk action at a time', async () => {
    const store = await openIn(database);
    const tried: string[] = [];
    const first = await confirmed(store, 3);
    const second = await confirmed(store, 3);
    expect(await runToEnd(store, second, noting(tried), numbers(3))).toMatchObject({ state: 'done', done: 3 });
    await expect.poll(() => find(store, first)).toMatchObject({ state: 'done', done: 3 });
    expect(tried.slice(0, 4)).toEqual(['1/1', '1/2', '2/1', '2/2']);
    expect(tried.slice(4).toSorted()).toEqual(['1/3', '2/3']);
  });

  it('waits for no other, which may take long', async () => {
    const store = await openIn(database);
    const slow = await confirmed(store, 3);
    const second = await confirmed(store, 3);
    const { promise, resolve } = Promise.withResolvers<void>();
    const one = noting([], async (targets, { id }) => {
      if (id === slow) await promise;
      return { done: targets.length };
    });
    const runner = runnerOf(store, one, numbers(3));
    runner.start();
    await expect.poll(() => find(store, second)).toMatchObject({ state: 'done' });
    expect(await find(store, slow)).toMatchObject({ state: 'running', done: 0 });
    resolve();
    await expect.poll(() => find(store, slow)).toMatchObject({ state: 'done' });
    await runner.close();
  });

  it('ends after the items in progress once it is canceled', async () => {
    const store = await openIn(database);
    const id = await confirmed(store, 9);
    const tried: string[] = [];
    const canceling = noting(tried, async (targets) => {
      if (tried.length === 2) await store.bulk.cancel(id, actor);
      return { done: targets.length };
    });
    expect(await runToEnd(store, id, canceling, numbers(9))).toMatchObject({ state: 'canceled', done: 4 });
    expect(tried).toHaveLength(4);
    const logged = await store.db.selectFrom('audit').select('detail').where('action', '=', 'resend').execute();
    expect(logged).toEqual([{ detail: '4 of 9 tried, 0 failed; canceled' }]);
  });

  it('tries again what failed as a whole, and goes on with the others meanwhile', async () => {
    const store = await openIn(database);
    const id = await confirmed(store, 3);
    await confirmed(store, 3);
    let calls = 0;
    const tried: string[] = [];
    const failing = noting(tried, async (targets) => {
      calls += 1;
      if (calls === 1) throw new Error('away');
      return { done: targets.length };
    });
    expect(await runToEnd(store, id, failing, numbers(3))).toMatchObject({ state: 'done', done: 3, trouble: null });
    expect(tried.slice(0, 2)).toEqual(['2/1', '2/2']);
    expect(tried.toSorted()).toEqual(['1/1', '1/2', '1/3', '2/1', '2/2', '2/3']);
  });

  it('keeps a hundred failures, and counts the rest', async () => {
    const store = await openIn(database);
    const id = await confirmed(store, 105);
    const refused = noting([], async (targets) => ({
      failures: targets.map((target) => ({ target, error: 'Its workflow refuses.' })),
    }));
    const { failures = [], ...bulk } = (await runToEnd(store, id, { ...refused, chunk: 40 }, numbers(105))) ?? {};
    expect(bulk).toMatchObject({ done: 0, failed: 105 });
    expect(failures).toHaveLength(100);
    expect(failures.at(-1)).toEqual({ target: '100', error: 'Its workflow refuses.' });
  });
});

describeOnPostgres('several processes', (database) => {
  it('resend each announcement once, and count it once', async () => {
    const location = await database.locate();
    const stores = [await openIn(database, { location }), await openIn(database, { location })] as const;
    const [store] = stores;
    await giveUp(store, 60);
    const id = await confirmed(store, 60);
    const runners = stores.map((one) => runnerOf(one, { ...resendingOf(one), chunk: 3 }));
    for (const runner of runners) runner.start();
    await expect.poll(async () => (await find(store, id))?.state).toBe('done');
    await Promise.all(runners.map((runner) => runner.close()));
    expect(await find(store, id)).toMatchObject({ done: 60, failed: 0 });
    expect(await deadLettersOf(store)).toEqual([]);
  });
});
