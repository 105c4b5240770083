import { expect, it } from 'vitest';
import type { BulkQuery } from '../../src/bulk/filters.ts';
import { type BulkItems, createBulkItems } from '../../src/bulk/items.ts';
import { record, refOf } from '../destinations/record.ts';
import { describeOnBoth, openIn } from '../store/databases.ts';
import { quarantinedEntry, toDefault } from '../support/make.ts';

const orders = (count: number) => Array.from({ length: count }, (_, index) => `order:9104:${index}`);

/** Names everything, page by page. */
async function all({ next }: BulkItems, query: BulkQuery, asOf: number, limit = 500): Promise<readonly string[]> {
  const named: string[] = [];
  for (let page = await next(query, { asOf, after: '', limit }); page; ) {
    named.push(...page.targets);
    page = await next(query, { asOf, after: page.position, limit });
  }
  return named;
}

describeOnBoth('what a bulk action names', (database) => {
  it.each<BulkQuery>([
    { action: 'refresh', filter: { kind: 'order' } },
    { action: 'refresh', filter: {} },
  ])('has each subject once, even if it enters another stage meanwhile: %j', async (query) => {
    const store = await openIn(database);
    const { next } = createBulkItems(store);
    for (const [index, key] of orders(5).entries()) await record(store, key, { stageSince: index, milestones: [] });
    const first = await next(query, { asOf: 1000, after: '', limit: 2 });
    await record(store, 'order:9104:0', { stageSince: 1001, milestones: [] });
    const second = await next(query, { asOf: 1000, after: first?.position ?? '', limit: 9 });
    expect([...(first?.targets ?? []), ...(second?.targets ?? [])]).toEqual(orders(5));
  });

  it('has no subjects that have come to match since', async () => {
    let now = 1000;
    const store = await openIn(database, { now: () => now });
    const items = createBulkItems(store);
    const fail = (key: string) =>
      store.activityFailures.note(refOf(key), 'retrieving', {
        operation: 'getOrder',
        error: 'answered 503',
        nextTryAt: 0,
      });
    for (const key of orders(3)) await record(store, key, { milestones: [] });
    const refused = [{ operation: 'getOrder', status: 403, error: 'answered 403' }] as const;
    await record(store, 'order:9104:refused', { milestones: [], refused: refused as never });
    await fail('order:9104:0');
    now = 2000;
    await fail('order:9104:1');
    await record(store, 'order:9104:2', { stageSince: now, milestones: [] });
    await record(store, 'order:9104:new', { stageSince: now, milestones: [] });
    const named = (filter: (BulkQuery & { readonly action: 'refresh' })['filter'], asOf: number, limit?: number) =>
      all(items, { action: 'refresh', filter }, asOf, limit);
    expect(await named({}, 1000)).toEqual(['order:9104:0', 'order:9104:1', 'order:9104:refused']);
    expect(await named({ attention: 'failing' }, 1000)).toEqual(['order:9104:0']);
    expect(await named({ attention: 'any' }, 1000)).toEqual(['order:9104:0', 'order:9104:refused']);
    expect(await named({ attention: 'failing' }, 2000, 1)).toEqual(['order:9104:0', 'order:9104:1']);
  });

  it('has the subjects that somebody has taken, whatever their stage, or those that nobody has', async () => {
    const store = await openIn(database, { now: () => 1000 });
    for (const [index, key] of orders(4).entries()) await record(store, key, { stageSince: 9 - index, milestones: [] });
    for (const key of ['order:9104:1', 'order:9104:3']) await store.taking.take(refOf(key), 'ana');
    await store.taking.take(refOf('order:9104:0'), 'ben');
    const named = (takenBy: string) => all(createBulkItems(store), { action: 'refresh', filter: { takenBy } }, 1000, 1);
    expect(await named('ana')).toEqual(['order:9104:3', 'order:9104:1']);
    expect(await named('nobody')).toEqual(['order:9104:2']);
  });

  it('has announcements by subject and revision, however their ids sort, that were given up by then', async () => {
    let now = 1000;
    const store = await openIn(database, { now: () => now });
    const milestones = Array.from({ length: 12 }, () => 'updated');
    const ids = [...(await record(store, 'order:9104:31', { milestones })), ...(await record(store, 'order:9104:32'))];
    for (const id of ids) await store.outbox.deadLetter(toDefault(id), 'answered 503');
    now = 2000;
    for (const id of await record(store, 'order:9104:33')) await store.outbox.deadLetter(toDefault(id), 'answered 503');
    const items = createBulkItems(store);
    expect(await all(items, { action: 'resend', filter: {} }, 1000, 7)).toEqual(ids);
    expect(await all(items, { action: 'resend', filter: { since: 1001 } }, 3000)).toEqual(['order:9104:33/1/created']);
    expect(await items.count({ action: 'resend', filter: {} }, 5)).toEqual({ count: 5, isMore: true });
    expect(await items.count({ action: 'resend', filter: {} }, 50)).toEqual({ count: 14, isMore: false });
  });

  it('has webhooks that were received by then', async () => {
    const store = await openIn(database);
    const entryOf = (id: number) => ({ ...quarantinedEntry(`9104:${id}`), receivedAt: id * 1000 });
    await store.inbox.add([1, 2, 3, 4].map(entryOf));
    const rows = await store.db.selectFrom('inbox').select('id').orderBy('id').execute();
    const ids = rows.map(({ id }) => String(id));
    const items = createBulkItems(store);
    expect(await all(items, { action: 'reprocess', filter: {} }, 3000, 2)).toEqual(ids.slice(0, 3));
    expect(await all(items, { action: 'reprocess', filter: { since: 2000 } }, 9000)).toEqual(ids.slice(1));
  });
});
