import { expect, it } from 'vitest';
import { record } from '../../destinations/record.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { openAdmin } from '../open-admin.ts';
import { describeInBrowser } from './browser.ts';

describeInBrowser('a form of the board', ({ open }) => {
  const serve = async () => {
    const store = await openTemporaryStore();
    const [id = ''] = await record(store, 'order:9104:31', {});
    await record(store, 'receipt:9104:4', {});
    return { store, id, ...(await openAdmin({ store })) };
  };

  it('filters announcements by what is chosen, and leads to all of them as a file', async () => {
    const { url } = await serve();
    const { page, complaints } = await open(`${url}/board/announcements/all`);
    expect(await page.getByText('2 of 2').count()).toBe(1);
    await page.getByText('+ Filter').click();
    await page.getByLabel('Since').fill('2h');
    await page.getByLabel('Kind').selectOption('receipt');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.waitForURL('**/board/announcements/all?since=2h&*kind=receipt*');
    expect(await page.locator('tbody tr').count()).toBe(1);
    expect(await page.getByLabel('Since').inputValue()).toBe('2h');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download as CSV' }).click();
    expect((await download).suggestedFilename()).toBe('announcements-all.csv');
    expect(complaints).toEqual([]);
  });

  it('sends now what waits, and previews a replay since an age', async () => {
    const { url } = await serve();
    const { page } = await open(`${url}/board/destinations/9104/default`);
    await page.getByRole('button', { name: 'Send backlog now' }).click();
    expect(await page.locator('#notice').innerText()).toBe(
      'Everything that was waiting for it is being sent now, in order.',
    );
    await page.getByLabel('Created since').fill('1d');
    await page.getByLabel('Kind').selectOption('order');
    await page.getByRole('button', { name: 'Replay…' }).click();
    await page.waitForURL('**/board/bulk/1');
    expect(await page.locator('h1').innerText()).toBe('Replay 1 announcement?');
  });
});

describeInBrowser('a name for what others see', ({ open }) => {
  it('is asked for once, by the first form that shows it', async () => {
    const store = await openTemporaryStore();
    await record(store, 'order:9104:31', {});
    await record(store, 'order:9104:32', {});
    const { url, get } = await openAdmin({ store });
    const { page, complaints } = await open(`${url}/board/subjects/9104/order/31`);
    await page.getByRole('button', { name: 'Take' }).click();
    await page.getByLabel('Shown to others').fill('Ana <b>');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Shown to others').fill('Ana Núñez');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL('**/board/subjects/9104/order/31*');
    expect(await page.getByText('taken by Ana Núñez').count()).toBe(1);
    await page.goto(`${url}/board/subjects/9104/order/32`);
    await page.getByLabel('Note').fill('Waits for a pallet');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.locator('#notice').waitFor();
    expect((await get('/subjects/9104/order/32')).body.notes).toMatchObject([
      { operator: 'Ana Núñez', text: 'Waits for a pallet' },
    ]);
    await page.goto(`${url}/board/subjects`);
    await page.getByRole('link', { name: 'Mine' }).click();
    expect(await page.locator('tbody tr').count()).toBe(1);
    await page.getByRole('link', { name: 'Ana Núñez' }).first().click();
    await page.waitForURL('**/board/name');
    expect(complaints).toEqual([]);
  });
});
