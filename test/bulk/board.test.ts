import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser } from '../admin/board/browser.ts';
import { openAdmin } from '../admin/open-admin.ts';
import { record } from '../destinations/record.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { quarantinedEntry } from '../support/make.ts';

const readable = (id: number) =>
  Buffer.from(JSON.stringify({ wmsEventId: id, eventType: 'OrderShipped', data: { OrderId: '31' } }));

/** Presses the button of a name by keyboard. */
async function press(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('button', { name }).focus();
  await page.keyboard.press('Enter');
}

it('a preview without a form is a mistake of the request', async () => {
  const { url, logged } = await openAdmin({ store: await openTemporaryStore() });
  const headers = { 'sec-fetch-site': 'same-origin' };
  expect((await fetch(`${url}/board/bulk`, { method: 'POST', headers })).status).toBe(400);
  expect(logged.filter((line) => JSON.parse(line).level > 30)).toEqual([]);
});

describeInBrowser('a bulk action of a reader', ({ open }) => {
  const serve = async () => {
    const store = await openTemporaryStore();
    const quarantine = (ids: readonly number[]) =>
      store.inbox.add(
        ids.map((id) => ({ ...quarantinedEntry(`9104:${id}`), body: readable(id), receivedAt: Date.now() })),
      );
    await quarantine([1, 2, 3]);
    return { store, quarantine, ...(await openAdmin({ store })) };
  };

  it.each([true, false])('is previewed, confirmed and followed by keyboard, with a script: %s', async (hasScript) => {
    const { url, quarantine, get } = await serve();
    const { page } = await open(`${url}/board/quarantine`, { javaScriptEnabled: hasScript });
    await press(page, /^Reprocess all 3…$/);
    await page.waitForURL('**/board/bulk/1');
    expect(await page.locator('h1').innerText()).toBe('Reprocess 3 webhooks?');
    const sample = await page.locator('section:has(#items) tbody tr').allInnerTexts();
    expect(sample.map((row) => row.trim().replaceAll(/\s+/g, ' '))).toEqual(['Webhook 1', 'Webhook 2', 'Webhook 3']);
    await quarantine([4]);
    // A reload before it is taken would cancel it.
    const taken = page.waitForResponse((response) => response.url().endsWith('/confirm'));
    await press(page, /^Reprocess 3 webhooks$/);
    await taken;
    await expect
      .poll(async () => {
        if (!hasScript) await page.reload();
        return await page.locator('h1').innerText();
      })
      .toBe('Reprocess 3 webhooks: done');
    expect(await page.getByRole('status').last().innerText()).toBe('3 of 3 webhooks tried: 3 done, 0 failed.');
    expect((await get('/quarantine')).body.items).toMatchObject([{ eventId: '9104:4' }]);
  });

  it('shows its progress without a reload, and is canceled', async () => {
    const { url, store } = await serve();
    for (let id = 1; id <= 4; id += 1) await record(store, `order:9104:${id}`, { snapshot: { customerId: '418' } });
    const { page } = await open(`${url}/board/subjects?customer=418`);
    await press(page, /^Refresh all 4…$/);
    await page.waitForURL('**/board/bulk/1');
    expect(await page.locator('.facts').innerText()).toContain('Kind: order, Open: true, Customer: 418');
    await press(page, /^Refresh 4 records$/);
    await expect
      .poll(() => page.locator('.problem').innerText())
      .toBe('Temporal does not answer now. It continues automatically.');
    expect(await page.locator('progress').getAttribute('max')).toBe('4');
    await press(page, /^Cancel the rest$/);
    await expect.poll(() => page.locator('h1').innerText()).toBe('Refresh 4 records: canceled');
  });
});
