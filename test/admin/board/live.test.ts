import { setImmediate as turn } from 'node:timers/promises';
import { fastify } from 'fastify';
import { pino } from 'pino';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type Caller, localCaller } from '../../../src/admin/access.ts';
import { liveRoutes } from '../../../src/admin/board/live.ts';
import type { Store } from '../../../src/app/store.ts';
import { record } from '../../destinations/record.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { openAdmin } from '../open-admin.ts';
import { describeInBrowser } from './browser.ts';

/** Serves the stream of changes to a reader; the first look at the store, at which it returns, waits to be answered. */
async function openAtFirstLook(caller: Caller = localCaller) {
  const first = Promise.withResolvers<string>();
  let looks = 0;
  const app = fastify();
  onTestFinished(() => app.close());
  app.addHook('onRequest', async (request) => void Object.assign(request, { caller }));
  const cursor = () => {
    looks += 1;
    return looks === 1 ? first.promise : Promise.resolve('later');
  };
  liveRoutes(app, { cursor, onChange() {}, logger: pino({ level: 'silent' }) });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const leaving = new AbortController();
  const answer = fetch(`${url}/changes`, { signal: leaving.signal }).catch(() => 'ended');
  await expect.poll(() => looks).toBe(1);
  return { app, first, looks: () => looks, leave: () => leaving.abort(), answer };
}

it('a reader who leaves during the first look at the store is not followed', async () => {
  const { app, first, looks, leave, answer } = await openAtFirstLook();
  leave();
  await answer;
  await expect.poll(() => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)))).toBe(0);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  first.resolve('first');
  await turn();
  await vi.advanceTimersByTimeAsync(600);
  expect(looks()).toBe(1);
});

it('a reader who comes while the process stops does not keep it', async () => {
  const { app, first, answer } = await openAtFirstLook();
  const closed = app.close();
  await expect.poll(() => app.server.listening).toBe(false);
  first.resolve('first');
  expect(await answer).toBe('ended');
  await closed;
});

it('a reader who is limited hears of a change no sooner than of none', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const limited = { name: 'acme', roles: ['read'], limits: [{ tenant: '9104' }] } as const;
  const { first, looks, answer, leave } = await openAtFirstLook(limited);
  first.resolve('first');
  const stream = ((await answer) as Response).body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await stream?.read())?.value).toContain('data: open');
  await vi.advanceTimersByTimeAsync(4900);
  expect(looks(), 'nobody looks at the store for it').toBe(1);
  await vi.advanceTimersByTimeAsync(200);
  expect((await stream?.read())?.value).toBe('event: change\ndata: changed\n\n');
  leave();
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
        await page.waitForResponse((response) => response.url().endsWith('/changes') && response.status() === 502);
        await proxy.close();
      }
      await state(page).not.toBe('Live');
      await change(store, '1');
      await openAdmin({ store, port });
      await expect.poll(() => page.locator('#live-state').innerText()).toBe('Live');
      await expect.poll(() => created(page)).toBe('1');
    },
  );

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
