import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { record } from '../../destinations/record.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { listen } from '../../support/listen.ts';
import { openAdmin } from '../open-admin.ts';
import { describeInBrowser } from './browser.ts';

/** Starts a Temporal that takes connections and never answers. */
const openSilence = async () => `127.0.0.1:${await listen(createServer())}`;

describeInBrowser('a button', ({ open }) => {
  it('answers at once, and its page shows what came of it', async () => {
    const store = await openTemporaryStore();
    await record(store, 'order:9104:1');
    const { url } = await openAdmin({ store, temporalAddress: await openSilence() });
    const shown = `${url}/board/subjects/9104/order/1`;
    const answer = await fetch(`${shown}/refresh`, {
      method: 'POST',
      headers: { origin: url, referer: `${shown}?sort=oldest` },
      redirect: 'manual',
    });
    const address = answer.headers.get('location');
    expect(address).toBe('/board/subjects/9104/order/1?sort=oldest&done=under-way');
    const { page } = await open(url + address);
    await expect.poll(() => page.locator('#notice').innerText()).toMatch(/^Refresh: failed/);
  });

  it('says on its page why nothing came of it, once, also without a script', async () => {
    const store = await openTemporaryStore();
    await record(store, 'order:9104:1');
    const { url } = await openAdmin({ store });
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await open(`${url}/board/subjects/9104/order/1`, { javaScriptEnabled });
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.waitForURL('**/order/1');
      expect(await page.getByRole('alert').innerText()).toBe('Temporal does not answer now.');
      expect(await page.locator('h1').innerText()).toContain('Order 1');
      await page.reload();
      expect(await page.getByRole('alert').count()).toBe(0);
    }
  });
});

it('a program that sends a form has the problem with its status', async () => {
  const store = await openTemporaryStore();
  await record(store, 'order:9104:1');
  const { url } = await openAdmin({ store });
  const answer = await fetch(`${url}/board/subjects/9104/order/1/refresh`, {
    method: 'POST',
    headers: { origin: url },
    redirect: 'manual',
  });
  expect(answer.status).toBe(503);
});
