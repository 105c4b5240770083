import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createPerformers, type Performer } from '../../../src/admin/bulk/performers.ts';
import type { Store } from '../../../src/store/store.ts';
import { describeOnBoth, describeOnPostgres, openIn } from '../../store/databases.ts';
import { record, refOf } from '../record.ts';
import { performerDeps, runnerOf } from './runner-of.ts';

const actor = { token: 'lead', operator: null };

/** Stores a confirmed bulk action on these items. */
async function confirmed(
  { bulk }: Store,
  action: 'refresh' | 'resend',
  targets: readonly string[],
  now = Date.now(),
): Promise<number> {
  const id = await bulk.create({ action, filter: {}, by: 'lead', expiresAt: now + 60_000 });
  await bulk.add(id, 1, targets);
  await bulk.ready(id, { total: targets.length, sample: [] });
  expect(await bulk.confirm(id, actor)).toBe(true);
  return id;
}

/** Runs bulk actions until one is over. */
async function runToEnd(store: Store, id: number, performers: Parameters<typeof runnerOf>[1]) {
  const runner = runnerOf(store, performers);
  runner.start();
  onTestFinished(() => runner.close());
  await expect.poll(async () => (await store.bulk.find(id))?.state).not.toBe('running');
  await runner.close();
  return await store.bulk.find(id);
}

const orders = (count: number) => Array.from({ length: count }, (_, index) => `order:9104:${index + 1}`);

/** Performer that notes its items, all of which succeed. */
const noting = (tried: string[], chunk = 2): Performer => ({
  chunk,
  async perform(targets) {
    tried.push(...targets);
    return targets.map(() => null);
  },
});

describeOnBoth('the runner of bulk actions', (database) => {
  it('goes on after a kill where the last one stopped, and repeats nothing', async () => {
    const location = await database.locate();
    let later = 0;
    const before = await openIn(database, { location });
    const ids: string[] = [];
    for (const key of orders(10)) ids.push(...(await record(before, key)));
    for (const id of ids) await before.outbox.deadLetter(id, 'answered 503');
    const bulkId = await confirmed(before, 'resend', ids);
    await before.close();

    const child = spawn(process.execPath, [join(import.meta.dirname, 'doomed-runner.ts'), JSON.stringify(location)]);
    onTestFinished(() => void child.kill('SIGKILL'));
    const [, signal] = await once(child, 'close');
    expect(signal).toBe('SIGKILL');

    const store = await openIn(database, { location, now: () => Date.now() + later });
    expect(await store.bulk.find(bulkId)).toMatchObject({ state: 'running', done: 3, failed: 0, total: 10 });
    // The second three were resent, and that was not written. One of them is given up again meanwhile.
    const [again = ''] = ids.slice(3);
    later = 60_000;
    expect(await store.outbox.lease(again, 1)).toMatchObject({ id: again });
    await store.outbox.deadLetter(again, 'answered 410');
    const { resend } = createPerformers(performerDeps(store));
    const bulk = await runToEnd(store, bulkId, { resend: { ...resend, chunk: 3 } });
    expect(bulk).toMatchObject({ state: 'done', done: 10, failed: 0 });
    const left = await store.db
      .selectFrom('announcements')
      .select(['id', 'dead_letter_reason as reason'])
      .where('dead_lettered_at', 'is not', null)
      .execute();
    expect(left).toEqual([{ id: again, reason: 'answered 410' }]);
  });

  it('tries each item once, a few of each bulk action in turn', async () => {
    const store = await openIn(database);
    const tried: string[] = [];
    const first = await confirmed(store, 'refresh', orders(5));
    const second = await confirmed(store, 'refresh', ['order:7001:1']);
    const bulk = await runToEnd(store, first, { refresh: noting(tried) });
    expect(bulk).toMatchObject({ state: 'done', done: 5 });
    expect(await store.bulk.find(second)).toMatchObject({ state: 'done', done: 1 });
    expect(tried.slice(0, 3)).toEqual(['order:9104:1', 'order:9104:2', 'order:7001:1']);
    expect(tried.slice(3)).toEqual(['order:9104:3', 'order:9104:4', 'order:9104:5']);
  });

  it('ends after the items in progress once it is canceled', async () => {
    const store = await openIn(database);
    const id = await confirmed(store, 'refresh', orders(9));
    const tried: string[] = [];
    const { chunk, perform } = noting(tried);
    const canceling: Performer = {
      chunk,
      async perform(...given) {
        if (tried.length === 2) await store.bulk.cancel(id, actor);
        return perform(...given);
      },
    };
    const bulk = await runToEnd(store, id, { refresh: canceling });
    expect(tried).toEqual(orders(4));
    expect(bulk).toMatchObject({ state: 'canceled' });
    await expect.poll(async () => (await store.bulk.find(id))?.done).toBe(4);
    expect(await store.db.selectFrom('bulk_items').selectAll().execute()).toEqual([]);
    const logged = await store.db.selectFrom('audit').select('detail').where('action', '=', 'refresh').execute();
    expect(logged).toEqual([{ detail: '4 of 9 tried, 0 failed; canceled' }]);
  });

  it('tries again what failed as a whole', async () => {
    const store = await openIn(database);
    const id = await confirmed(store, 'refresh', orders(3));
    let failures = 0;
    const tried: string[] = [];
    const { perform } = noting(tried);
    const failing: Performer = {
      chunk: 2,
      async perform(...given) {
        failures += 1;
        if (failures === 2) throw new Error('away');
        return perform(...given);
      },
    };
    expect(await runToEnd(store, id, { refresh: failing })).toMatchObject({ state: 'done', done: 3, trouble: null });
    expect(tried).toEqual(orders(3));
  });

  it('goes on although a process has died whose clock was ahead', async () => {
    const clock = { now: Date.now() + 7_200_000 };
    const store = await openIn(database, { now: () => clock.now });
    const id = await confirmed(store, 'refresh', orders(2), clock.now);
    expect(await store.bulk.lease('one that dies', 30_000)).toMatchObject({ id });
    clock.now -= 7_200_000;
    expect(await runToEnd(store, id, { refresh: noting([]) })).toMatchObject({ state: 'done', done: 2 });
  });

  it('leaves out what was erased after the preview', async () => {
    const store = await openIn(database);
    for (const key of orders(3)) await record(store, key, { milestones: [] });
    const id = await confirmed(store, 'refresh', orders(3));
    await store.erasures.erase(refOf('order:9104:2'), { by: 'ana', unsent: false });
    const tried: string[] = [];
    expect(await runToEnd(store, id, { refresh: noting(tried) })).toMatchObject({ done: 2, failed: 1 });
    expect(tried).toEqual(['order:9104:1', 'order:9104:3']);
    expect(await store.bulk.failures(id, 9)).toEqual([{ target: 'order:9104:2', error: 'It was erased.' }]);
  });

  it('keeps a thousand failures, and counts the rest', async () => {
    const store = await openIn(database);
    const id = await confirmed(store, 'refresh', orders(1005));
    const refused: Performer = { chunk: 200, perform: async (targets) => targets.map(() => 'Its workflow refuses.') };
    expect(await runToEnd(store, id, { refresh: refused })).toMatchObject({ done: 0, failed: 1005 });
    expect(await store.bulk.failures(id, 5000)).toHaveLength(1000);
  });
});

describeOnPostgres('several processes', (database) => {
  it('share bulk actions without trying an item twice', async () => {
    const location = await database.locate();
    const stores = [await openIn(database, { location }), await openIn(database, { location })] as const;
    const ids: number[] = [];
    for (let n = 0; n < 4; n += 1) ids.push(await confirmed(stores[0], 'refresh', orders(30)));
    const tried: string[] = [];
    const runners = stores.map((store) => runnerOf(store, { refresh: noting(tried, 3) }));
    for (const runner of runners) runner.start();
    const states = () => Promise.all(ids.map(async (id) => (await stores[0].bulk.find(id))?.state));
    await expect.poll(states).toEqual(ids.map(() => 'done'));
    await Promise.all(runners.map((runner) => runner.close()));
    expect(tried).toHaveLength(120);
    for (const id of ids) expect(await stores[1].bulk.find(id)).toMatchObject({ done: 30, failed: 0 });
  });
});
