import { expect, it } from 'vitest';
import { record } from '../../destinations/record.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { openAdmin } from '../open-admin.ts';
import { describeInBrowser } from './browser.ts';

describeInBrowser('a button', ({ open }) => {
  it('says why nothing came of it, and leads back to its page, also without a script', async () => {
    const store = await openTemporaryStore();
    await record(store, 'order:9104:1');
    const { url } = await openAdmin({ store });
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await open(`${url}/board/subjects/9104/order/1`, { javaScriptEnabled });
      await page.getByRole('button', { name: 'Refresh' }).click();
      expect(await page.getByRole('alert').innerText()).toBe('Temporal does not answer now.');
      await page.getByRole('link', { name: 'Back' }).click();
      await page.waitForURL('**/order/1');
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
