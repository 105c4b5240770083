import { expect, it } from 'vitest';
import { record } from '../../destinations/record.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { toDefault } from '../../support/make.ts';
import { openAdmin } from '../open-admin.ts';
import { describeInBrowser } from './browser.ts';

describeInBrowser('a receiver', ({ open }) => {
  it.each([true, false])(
    'is paused on its row for a reason, and what waits is on hold, with a script: %s',
    async (javaScriptEnabled) => {
      const store = await openTemporaryStore();
      const [sent = '', waiting = ''] = await record(store, 'order:9104:1', { milestones: ['created', 'picked'] });
      await store.outbox.sent(toDefault(sent), { status: 204, ms: 12 });
      const { url, get } = await openAdmin({ store });
      const { page } = await open(`${url}/board/destinations`, { javaScriptEnabled });
      const row = page.locator('tbody tr');
      await row.getByRole('button', { name: 'Pause…' }).click();
      await page.getByLabel('Reason').fill('stock count');
      await row.getByRole('button', { name: 'Pause', exact: true }).click();
      await page.waitForURL('**/board/destinations*');
      await expect.poll(() => row.innerText()).toMatch(/paused[\s\S]*1 on hold[\s\S]*Resume/);
      expect((await get('/destinations')).body.items).toMatchObject([
        { state: 'paused', because: expect.stringMatching(/^paused by .*: stock count$/), unsent: 1, replays: 0 },
      ]);
      expect((await get(`/announcements/${waiting}`)).body).toMatchObject({ isOnHold: true, nextTryAt: null });
      expect((await get(`/announcements/${sent}`)).body).toMatchObject({ isOnHold: false, state: 'sent' });
      await page.goto(`${url}/board`);
      expect(await page.locator('.legend').last().innerText()).toMatch(/Deliveries queued 0[\s\S]*On hold 1/);
    },
  );

  it('counts what is sent again apart, since it was asked for', async () => {
    const store = await openTemporaryStore();
    const [first = ''] = await record(store, 'order:9104:1');
    await store.db
      .updateTable('outbox')
      .set({ replayed_at: Date.now() - 5000 })
      .where('announcement', '=', first)
      .execute();
    const { get } = await openAdmin({ store });
    const [row] = (await get('/destinations')).body.items;
    expect(row).toMatchObject({ unsent: 1, replays: 1 });
    expect(Date.now() - Date.parse(row.oldestUnsentAt)).toBeGreaterThanOrEqual(5000);
  });
});
