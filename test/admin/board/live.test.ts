import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { fastify } from 'fastify';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type Caller, localCaller } from '../../../src/admin/access.ts';
import { liveRoutes } from '../../../src/admin/board/live.ts';
import type { Store } from '../../../src/app/store.ts';
import { record } from '../../destinations/record.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { openAdmin } from '../open-admin.ts';
import { describeInBrowser } from './browser.ts';

/** Serves changes to a reader; `looks` counts reads of the cursor, which is `first` until it is set. */
async function openChanges(caller: Caller = localCaller) {
  const store = { cursor: 'first', looks: 0 };
  const app = fastify();
  onTestFinished(() => app.close());
  app.addHook('onRequest', async (request) => void Object.assign(request, { caller }));
  const cursor = async () => {
    store.looks += 1;
    return store.cursor;
  };
  const onChange = vi.fn();
  liveRoutes(app, { cursor, onChange });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const ask = async (after: string, signal?: AbortSignal) =>
    await (await fetch(`${url}/changes?after=${after}`, { ...(signal && { signal }) })).text();
  return { app, store, ask, onChange };
}

it('all readers hear of a change by the same looks, after which pages are read anew', async () => {
  const { store, ask, onChange } = await openChanges();
  const answers = Promise.all(Array.from({ length: 20 }, () => ask('first')));
  await expect.poll(() => store.looks).toBeGreaterThan(1);
  expect(onChange).not.toHaveBeenCalled();
  store.cursor = 'second';
  expect(new Set(await answers)).toEqual(new Set(['second']));
  expect(onChange).toHaveBeenCalledOnce();
  expect(store.looks).toBeLessThan(20);
  expect(await ask('')).toBe('second');
});

it('a reader who leaves is not looked for any more', async () => {
  const { app, store, ask } = await openChanges();
  const leaving = new AbortController();
  const answer = ask('first', leaving.signal).catch(() => 'left');
  await expect.poll(() => store.looks).toBeGreaterThan(1);
  leaving.abort();
  expect(await answer).toBe('left');
  await expect.poll(() => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)))).toBe(0);
  const { looks } = store;
  await pause(600);
  expect(store.looks - looks).toBeLessThan(2);
});

it('a reader who waits is answered when the process stops', async () => {
  const { app, store, ask } = await openChanges();
  const answer = ask('first');
  await expect.poll(() => store.looks).toBe(1);
  await app.close();
  expect(await answer).toBe('first');
});

it('a reader who is limited hears of a change no sooner than of none', async () => {
  const limited = { name: 'acme', roles: ['read'], limits: [{ tenant: '9104' }] } as const;
  const { store, ask } = await openChanges(limited);
  vi.useFakeTimers({ toFake: ['Date'], now: 9000 });
  onTestFinished(() => void vi.useRealTimers());
  expect(await ask('')).toBe('1');
  const answer = ask('1');
  await pause(300);
  vi.setSystemTime(10_000);
  expect(await answer).toBe('2');
  expect(store.looks, 'nobody looks at the store for it').toBe(0);
});

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
    await page.getByRole('button', { name: 'Pause' }).click();
    await state(page).toBe('Paused');
    await change(store, '1');
    const other = await open(`${url}/board`);
    await expect.poll(() => created(other.page)).toBe('1');
    expect(await created(page)).toBe('0');
    await page.reload();
    await state(page).toBe('Paused');
    await page.getByRole('button', { name: 'Resume' }).click();
    await change(store, '2');
    await expect.poll(() => created(page)).toBe('2');
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
        await page.waitForResponse((response) => response.url().includes('/changes') && response.status() === 502);
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
    const isAsked = page.waitForResponse(
      (response) => response.url().includes('/changes') && response.status() === 200,
    );
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
