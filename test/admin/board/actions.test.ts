import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { openAdmin } from '../open-admin.ts';
import { describeInBrowser } from './browser.ts';
import { playDay } from './warehouse-day.ts';

const token = 'a-token-of-this-very-test';

/** Moves the focus with the keyboard to the control of a name. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = () =>
    page.evaluate('document.activeElement.innerText || document.activeElement.id') as Promise<string>;
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press('Tab');
    if ((await focused()).startsWith(name)) return;
  }
  throw new Error(`the keyboard does not reach "${name}"`);
}

describeInBrowser('by keyboard', ({ open }) => {
  const serve = async (options: { readonly token?: string } = {}) => {
    const store = await openTemporaryStore();
    const day = await playDay(store);
    return { store, ...day, ...(await openAdmin({ store, ...options })) };
  };

  it('a reader signs in, finds an order and signs out', async () => {
    const { url } = await serve({ token });
    const { page } = await open(`${url}/board/subjects?kind=receipt`);
    await page.keyboard.type(`${token}x`);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('alert').innerText()).toMatch(/^That is not a token/);
    await page.keyboard.type(token);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/board/subjects?kind=receipt');
    await tabTo(page, 'q');
    await page.keyboard.type('PO-1');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/board/subjects/9104/order/1');
    await tabTo(page, 'Sign out');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/board/sign-in');
    await page.goto(`${url}/board`);
    expect(page.url()).toBe(`${url}/board/sign-in`);
  });

  it('a link within the page skips the menu', async () => {
    const { page } = await open(`${(await serve()).url}/board`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
  });

  it.each([{ javaScriptEnabled: true }, { javaScriptEnabled: false }])(
    'a dead letter is resent, with %s',
    async (options) => {
      const { url, deadLetter, get, logged } = await serve();
      const { page } = await open(`${url}/board/dead-letters`, options);
      await tabTo(page, 'Resend all 1…');
      await tabTo(page, 'Resend');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('.notice').innerText()).toBe('The announcement is being sent again.');
      expect(await page.locator('tbody tr').count()).toBe(0);
      expect((await get(`/announcements/${deadLetter}`)).body).toMatchObject({ state: 'unsent' });
      expect(logged.join('')).toContain('"path":"/board/announcements/:subject/:revision/:milestone/resend"');
    },
  );

  it('an action that Temporal has to take says that it does not answer', async () => {
    const { url } = await serve();
    const { page } = await open(`${url}/board/subjects/9104/order/2`);
    await tabTo(page, 'Clear attention');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('alert').innerText()).toBe('Temporal does not answer now.');
  });
});
