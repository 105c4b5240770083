import { expect, it } from 'vitest';
import { createBulkItems } from '../../src/bulk/items.ts';
import { refreshing, takeStep } from '../../src/bulk/runner.ts';
import { findBulk } from '../../src/bulk/views/row.ts';
import type { SubjectRef } from '../../src/domain/catalogue/subject.ts';
import { record, refOf } from '../destinations/record.ts';
import { describeOnEither, openIn } from '../store/databases.ts';
import type { TestStore } from '../store/temporary-store.ts';
import { logger } from './runner-of.ts';

const actor = { token: 'lead', operator: null };

const orders = (count: number) => Array.from({ length: count }, (_, index) => `order:9104:${index}`);

describeOnEither('a bulk refresh', (database) => {
  /** Confirms a refresh of everything, and takes its first step. */
  async function refreshAll(
    store: TestStore,
    refresh: (subject: SubjectRef) => Promise<undefined>,
    before = async () => {},
  ) {
    const { bulk, reads } = store;
    const at = { created_at: Date.now(), expires_at: Date.now() + 60_000 };
    const by = { created_by: 'lead', token: 'lead', identity: null };
    const { total } = await reads
      .selectFrom('subjects')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const id = await bulk.create({ action: 'refresh', filter: '{}', ...at, ...by, total, sample: '[]' });
    await bulk.confirm(id, actor);
    await before();
    const performer = refreshing({ control: { refresh }, reads, isOutage: () => false, logger });
    const [running] = await bulk.take();
    if (running) await takeStep({ store: bulk, items: createBulkItems(store) }, performer, running);
    return await findBulk(store.reads, id);
  }

  it('counts subjects whose warehouse has not answered yet, which are neither done nor failed', async () => {
    const store = await openIn(database);
    for (const key of orders(3)) await record(store, key, { milestones: [] });
    const bulk = await refreshAll(store, async ({ id }) => {
      if (id === '1') throw Object.assign(new Error('Its workflow refuses.'), { statusCode: 409 });
    });
    expect(bulk).toMatchObject({ state: 'running', done: 0, asked: 2, failed: 1 });
    expect(bulk?.failures).toEqual([{ target: 'order:9104:1', error: 'Its workflow refuses.' }]);
    await store.bulk.finish(bulk?.id ?? 0);
    const logged = await store.db.selectFrom('audit').select('detail').execute();
    expect(logged).toEqual([{ detail: '3 of 3 tried, 1 failed, 2 without an answer yet' }]);
  });

  it('leaves out what was erased after the preview', async () => {
    const store = await openIn(database);
    for (const key of orders(3)) await record(store, key, { milestones: [] });
    const tried: string[] = [];
    const bulk = await refreshAll(
      store,
      async ({ id }) => void tried.push(id),
      async () => void (await store.erasures.erase(refOf('order:9104:1'), { by: 'ana', unsent: false })),
    );
    expect(tried.toSorted()).toEqual(['0', '2']);
    expect(bulk?.failures).toEqual([{ target: 'order:9104:1', error: 'It was erased.' }]);
  });

  it('keeps no reason of a failure once its subject is erased', async () => {
    const store = await openIn(database);
    for (const key of orders(2)) await record(store, key, { milestones: [] });
    const bulk = await refreshAll(store, () =>
      Promise.reject(Object.assign(new Error('No order of Jane Doe.'), { statusCode: 409 })),
    );
    await store.erasures.erase(refOf('order:9104:0'), { by: 'ana', unsent: false });
    expect((await findBulk(store.reads, bulk?.id ?? 0))?.failures).toEqual([
      { target: 'order:9104:0', error: 'It was erased.' },
      { target: 'order:9104:1', error: 'No order of Jane Doe.' },
    ]);
  });
});
