import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { recordAs } from '../../store/recordings.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { lifecycleAt, orderOf, quarantinedEntry } from '../../support/make.ts';
import { openAdmin } from '../open-admin.ts';
import { describeInBrowser } from './browser.ts';
import { playDay } from './warehouse-day.ts';

/** Questions of people who open the board, each with the clicks from its first page that answer it, two at most, and what is seen then. */
const questions: Readonly<Record<string, { readonly clicks: readonly string[]; readonly seen: RegExp }>> = {
  'What ships today, and what misses the truck?': { clicks: [], seen: /Today's trucks[\s\S]*FedEx/ },
  'Is it healthy?': { clicks: [], seen: /Incidents \d|Nothing is wrong/ },
  'Why is it stuck?': {
    clicks: ['.rail a:has-text("Orders")', 'a:has-text("Needs attention")'],
    seen: /GET (?:fails|\d{3})/,
  },
  'Which customers are hit?': {
    clicks: ['.rail a:has-text("Orders")', 'a:has-text("Will miss")'],
    seen: /Cobalt Cycling/,
  },
  'Which orders will miss this truck?': {
    clicks: ['tr:has-text("FedEx") a.badge.bad'],
    seen: /Due at[\s\S]*OR316266606X[\s\S]*waits for packing with 31 orders ahead/,
  },
  'What did we announce to this receiver, and what did it answer?': {
    clicks: ['.rail a:has-text("Destinations")', 'main th a'],
    seen: /Latest attempts[\s\S]*Receipt 4[\s\S]*503/,
  },
  'How do I send it again what it got since yesterday?': {
    clicks: ['.rail a:has-text("Destinations")', 'main th a'],
    seen: /Replay[\s\S]*Created since/,
  },
  'How do I pause it?': { clicks: ['.rail a:has-text("Destinations")', 'button:has-text("Pause")'], seen: /Reason/ },
  'Who did what?': { clicks: ['.rail a:has-text("Audit")'], seen: /What people changed[\s\S]*Take/ },
  'What was not understood?': { clicks: ['.legend a:has-text("In quarantine")'], seen: /unknown event/ },
  'How do I accept an unknown name?': {
    clicks: ['.legend a:has-text("In quarantine")', 'main a[href="/board/event-names"]'],
    seen: /OrderConfirmV2[\s\S]*OrderConfirm[\s\S]*Accept/,
  },
};

describeInBrowser('the board answers in two clicks at most', ({ open }) => {
  const serve = async () => {
    const store = await openTemporaryStore();
    await playDay(store);
    await store.inbox.add([quarantinedEntry('9104:11', 'OrderConfirmV2')]);
    const now = Date.now();
    await recordAs(store, orderOf('316266606'), {
      lifecycle: lifecycleAt(1, {
        registers: { existence: { milestone: 'created', time: now - 3_600_000, eventId: '9104:77' } },
        snapshot: { referenceNumber: 'OR316266606X', customerId: '420', customerName: 'Cobalt Cycling' },
      }),
      stageSince: now - 3_600_000,
      facts: { carrier: 'FedEx', customerName: 'Cobalt Cycling' },
      deadline: {
        ...{ dueAt: now + 600_000, atRiskAt: now - 1, ruleAt: now - 1, because: "today's truck" },
        forecast: {
          ...{
            expectedAt: now + 3_600_000,
            earliest: now + 1_800_000,
            latest: now + 7_200_000,
            step: 'pack',
            ahead: 31,
          },
          ...{ comparable: 64, usualMs: 3_600_000, slowdown: 1, changes: 1 },
        },
      },
    });
    const actor = { token: 'lead', operator: 'ana' };
    await store.audit.begin({ action: 'take', target: { type: 'subject', id: 'order:9104:1' }, actor });
    const { url } = await openAdmin({ store });
    return `${url}/board`;
  };

  it('every question of the list', async () => {
    const board = await serve();
    const { page } = await open(board);
    for (const [question, { clicks, seen }] of Object.entries(questions)) {
      expect(clicks.length, question).toBeLessThanOrEqual(2);
      await page.goto(board);
      for (const click of clicks) await page.locator(click).first().click();
      await expect.poll(() => page.locator('main').innerText(), { message: question }).toMatch(seen);
    }
  });

  it('where an order is, without a click', async () => {
    const board = await serve();
    const { page } = await open(board);
    await page.keyboard.press('/');
    await page.keyboard.type('Cycling');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/board/subjects/9104/order/316266606');
    expect(await heading(page)).toContain('OR316266606X');
  });
});

const heading = (page: Page) => page.locator('h1').innerText();
