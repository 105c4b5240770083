import { expect, it } from 'vitest';
import { record } from '../../destinations/record.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { openAdmin } from '../open-admin.ts';
import { describeInBrowser } from './browser.ts';

const serve = async () => {
  const store = await openTemporaryStore();
  for (const id of ['1', '2', '3'])
    await record(store, `order:9104:${id}`, {
      snapshot: { referenceNumber: `OR${id}X`, customerId: '418', customerName: 'Alder Tea' },
    });
  return { store, ...(await openAdmin({ store })) };
};

describeInBrowser('a list of orders', ({ open }) => {
  it.each([true, false])('acts on what is ticked alone, with a script: %s', async (javaScriptEnabled) => {
    const { url, store } = await serve();
    const { page } = await open(`${url}/board/subjects`, { javaScriptEnabled });
    await page.getByLabel('Choose Order 1', { exact: true }).check();
    await page.getByLabel('Choose Order 3', { exact: true }).check();
    await page.getByRole('button', { name: 'Refresh selected' }).click();
    await page.waitForURL('**/board/bulk/1');
    expect(await page.locator('h1').innerText()).toBe('Refresh 2 records?');
    expect(await page.locator('tbody tr').allInnerTexts()).toEqual(['Order 1', 'Order 3']);
    expect(await store.db.selectFrom('bulk_actions').select(['total', 'filter']).execute()).toEqual([
      { total: 2, filter: '{"keys":"order:9104:1 order:9104:3"}' },
    ]);
  });

  it('has its button in sight of what is ticked, however long it is', async () => {
    const { url, store } = await serve();
    for (let id = 10; id < 40; id += 1) await record(store, `order:9104:${id}`);
    const { page } = await open(`${url}/board/subjects`, { viewport: { width: 360, height: 640 } });
    await page.getByRole('checkbox').last().check();
    const { y = -1 } = (await page.getByRole('button', { name: 'Refresh selected' }).boundingBox()) ?? {};
    expect(y).toBeGreaterThan(300);
    expect(y).toBeLessThan(560);
  });

  it('acts on nothing if nothing is ticked', async () => {
    const { url, store } = await serve();
    const { page } = await open(`${url}/board/subjects`);
    await page.getByRole('button', { name: 'Refresh selected' }).click();
    await expect.poll(() => page.getByRole('alert').innerText()).toBe('Nothing is chosen: tick some first.');
    expect(await store.db.selectFrom('bulk_actions').select('id').execute()).toEqual([]);
  });
});

it('the view that an address narrows is the current one', async () => {
  const { url } = await serve();
  const views = {
    'attention=failing&tenant=9104': ['Needs attention'],
    'due=willMiss&tenant=9104': ['Will miss'],
    'customer=418': ['Open'],
    'stage=confirmed': [],
  };
  for (const [query, expected] of Object.entries(views)) {
    const page = await (await fetch(`${url}/board/subjects?${query}`)).text();
    const [, tabs = ''] = /aria-label="Views">(.*?)<\/nav>/s.exec(page) ?? [];
    const current = [...tabs.matchAll(/aria-current="page">([^<]*)/g)].map(([, name]) => name?.trim());
    expect([query, ...current]).toEqual([query, ...expected]);
  }
});
