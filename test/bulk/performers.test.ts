import { expect, it } from 'vitest';
import { roles } from '../../src/admin/access.ts';
import { createBulk } from '../../src/bulk/bulk.ts';
import { createBulkItems } from '../../src/bulk/items.ts';
import { refreshing } from '../../src/bulk/performers.ts';
import { createStep } from '../../src/bulk/runner.ts';
import { findBulk } from '../../src/bulk/views/row.ts';
import type { SubjectRef } from '../../src/domain/catalogue/subject.ts';
import { readEverything } from '../../src/store/limited-reads.ts';
import { record, refOf } from '../destinations/record.ts';
import { describeOnEither, openIn } from '../store/databases.ts';
import type { TestStore } from '../store/temporary-store.ts';
import { quarantinedEntry } from '../support/make.ts';
import { logger } from './runner-of.ts';

const actor = { token: 'lead', operator: null };
const caller = { name: 'lead', roles };

const orders = (count: number) => Array.from({ length: count }, (_, index) => `order:9104:${index}`);

const bulkOf = (store: TestStore, most?: number) =>
  createBulk({
    store: store.bulk,
    reads: readEverything(store.reads),
    items: createBulkItems(store),
    filterOf: async () => undefined,
    identityOf: async ({ name }) => name,
    onConfirmed: () => undefined,
    ...(most !== undefined && { most }),
  });

describeOnEither('a bulk refresh', (database) => {
  /** Confirms a refresh of everything, and takes its first step. */
  async function refreshAll(
    store: TestStore,
    refresh: (subject: SubjectRef) => Promise<undefined>,
    before = async () => {},
  ) {
    const { bulk, reads } = store;
    const { id } = await bulkOf(store).preview({ action: 'refresh' }, caller, actor);
    await bulk.confirm(id, actor);
    await before();
    const performer = refreshing({ control: { refresh }, reads, isOutage: () => false, logger });
    const [running] = await bulk.running();
    if (running) await createStep({ store: bulk, items: createBulkItems(store) }, performer)(running);
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

  it('is not previewed if its filter names too many', async () => {
    const store = await openIn(database);
    await store.inbox.add([1, 2, 3].map((id) => quarantinedEntry(`9104:${id}`)));
    await expect(bulkOf(store, 2).preview({ action: 'replay' }, caller, actor)).rejects.toThrow(
      'The filter names more than 2; name fewer at a time.',
    );
    expect(await findBulk(store.reads, 1)).toBeUndefined();
  });
});
