import { createServer } from 'node:http';
import { fastify } from 'fastify';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Store } from '../../../src/app/store.ts';
import { record } from '../../destinations/record.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { openAdmin } from '../open-admin.ts';
import { describeInBrowser } from './browser.ts';

describeInBrowser('an open board', ({ open }) => {
  const serve = async () => {
    const store = await openTemporaryStore();
    return { store, ...(await openAdmin({ store })) };
  };
  const change = (store: Store, id: string) => record(store, `order:9104:${id}`, { stageSince: Date.now() });
  const created = (page: Page) => page.locator('.funnel .figure').first().innerText();
  const state = (page: Page) => expect.poll(() => page.locator('#live-state').innerText());

  it('shows a change without a reload, and leaves focus and text where they are', async () => {
    const { url, store } = await serve();
    const { page } = await open(`${url}/board`);
    await state(page).toBe('Live');
    await page.getByLabel('Reference, id, customer or event').fill('half a refer');
    await page.getByRole('link', { name: 'Created' }).focus();
    await page.evaluate('window.isSamePage = true');
    await change(store, '1');
    await expect.poll(() => created(page)).toBe('1');
    expect(await page.evaluate('window.isSamePage && document.activeElement.innerText')).toContain('Created');
    expect(await page.getByLabel('Reference, id, customer or event').inputValue()).toBe('half a refer');
  });

  it('does not change while it is paused, and catches up afterwards', async () => {
    const { url, store } = await serve();
    const { page } = await open(`${url}/board`);
    await state(page).toBe('Live');
    await page.locator('#live').click();
    await state(page).toBe('Paused');
    await change(store, '1');
    const other = await open(`${url}/board`);
    await expect.poll(() => created(other.page)).toBe('1');
    expect(await created(page)).toBe('0');
    await page.locator('#live').click();
    await expect.poll(() => created(page)).toBe('1');
    await state(page).toBe('Live');
  });

  it('leaves unfolded what a reader has unfolded', async () => {
    const { url, store } = await serve();
    const subject = { snapshot: { referenceNumber: 'W'.repeat(2000) } };
    await record(store, 'order:9104:1', subject);
    const { page } = await open(`${url}/board/subjects/9104/order/1`);
    await state(page).toBe('Live');
    const text = page.locator('main aside details').first();
    await text.locator('summary').click();
    await record(store, 'order:9104:1', subject);
    await expect.poll(() => page.locator('.timeline > li:not(.day)').count()).toBe(2);
    expect(await text.getAttribute('open')).not.toBeNull();
  });

  it('is not sent again as long as nothing changes in it', async () => {
    const { url, store } = await serve();
    const address = `${url}/board/subjects?kind=order`;
    await change(store, '1');
    const { page } = await open(address);
    await state(page).toBe('Live');
    const statuses: number[] = [];
    page.on('response', (response) => response.url() === address && statuses.push(response.status()));
    await record(store, 'item:9104:7');
    await expect.poll(() => statuses).toContain(304);
    statuses.length = 0;
    await change(store, '2');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
    expect(statuses).toContain(200);
  });

  it('is sent once when it is opened', async () => {
    const { url } = await serve();
    const { page } = await open(`${url}/board/docs`);
    const statuses: number[] = [];
    page.on('response', (response) => response.url() === `${url}/board` && statuses.push(response.status()));
    await page.goto(`${url}/board`);
    await expect.poll(() => statuses).toEqual([200, 304]);
  });

  it('leaves a filter alone that is being chosen', async () => {
    const { url, store } = await serve();
    const { page } = await open(`${url}/board/subjects`);
    await state(page).toBe('Live');
    await page.getByRole('button', { name: '+ Filter' }).click();
    await page.locator('select[name=stage]').selectOption('created');
    await page.locator('input[name=customer]').fill('418');
    await change(store, '1');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    expect(await page.locator('select[name=stage]').inputValue()).toBe('created');
  });

  it.each([false, true])(
    'survives a restart of Dockline, and shows what has changed since; behind a proxy: %s',
    async (hasProxy) => {
      const { url, store, close } = await serve();
      const port = Number(new URL(url).port);
      const { page } = await open(`${url}/board`);
      await state(page).toBe('Live');
      await close();
      if (hasProxy) {
        const proxy = fastify().all('/*', (_request, reply) => reply.code(502).send());
        await proxy.listen({ host: '127.0.0.1', port });
        await page.waitForResponse((response) => response.url() === `${url}/board` && response.status() === 502);
        await proxy.close();
      }
      await state(page).not.toBe('Live');
      await change(store, '1');
      await openAdmin({ store, port });
      await expect.poll(() => page.locator('#live-state').innerText()).toBe('Live');
      await expect.poll(() => created(page)).toBe('1');
    },
  );

  it('goes on after an answer that broke off', async () => {
    const { url, store, close } = await serve();
    const port = Number(new URL(url).port);
    const { page } = await open(`${url}/board`);
    await state(page).toBe('Live');
    await close();
    const broken = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half');
      setImmediate(() => response.destroy());
    });
    const isAsked = page.waitForResponse((response) => response.url() === `${url}/board` && response.status() === 200);
    await new Promise<void>((resolve) => broken.listen(port, '127.0.0.1', resolve));
    await isAsked;
    broken.close();
    broken.closeAllConnections();
    await change(store, '1');
    await openAdmin({ store, port });
    await expect.poll(() => created(page)).toBe('1');
  });

  it('asks to sign in when its session has ended', async () => {
    const store = await openTemporaryStore();
    const token = 'a-token-of-this-very-test';
    const { url } = await openAdmin({ store, token });
    const { page } = await open(`${url}/board`);
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    await state(page).toBe('Live');
    await page.context().clearCookies();
    await change(store, '1');
    await page.waitForURL('**/board/sign-in');
  });
});
