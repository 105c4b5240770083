import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page, Request } from 'playwright-core';
import { expect, it } from 'vitest';
import { recordAs } from '../../store/recordings.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { lifecycleAt, orderOf } from '../../support/make.ts';
import { exampleGuide } from '../example-guide.ts';
import { openAdmin } from '../open-admin.ts';
import { describeInBrowser } from './browser.ts';
import { hostile, playBulk, playDay } from './warehouse-day.ts';

/** Rules of WCAG up to 2.2 AA. */
const allRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Rules whose verdict on an element depends on its colors, size or overflow. */
const rulesOfStyle = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'];

/** The others show the same elements, in other colors and places. */
const guises = [
  { colorScheme: 'light', width: 1280, height: 720, rules: allRules, fits: 'html' },
  { colorScheme: 'light', width: 1024, height: 800, rules: [], fits: 'html, .scroll' },
  // On a phone no table scrolls to the side: its rows are cards.
  { colorScheme: 'dark', width: 320, height: 640, rules: rulesOfStyle, fits: 'html, .scroll' },
] as const;

const pages = {
  'of orders': [
    '',
    '/subjects',
    '/subjects?stage=bogus',
    '/search?q=nothing',
    '/lead-times',
    '/lead-times?kind=receipt&by=day',
    '/docs',
    '/subjects/9104/order/1',
    '/subjects/9104/order/2',
  ],
  'of webhooks and announcements': [
    '/webhooks',
    '/webhooks?state=recorded',
    '/announcements',
    '/announcements/all',
    '/dead-letters',
    '/announcements/receipt:9104:4/1/created',
    '/destinations',
    '/destinations/9104/default',
    '/quarantine',
    '/deliveries/3',
    '/deliveries/4',
  ],
  'of the system': ['/alerts', '/system', '/audit', '/bulk', '/bulk/1', '/bulk/2', '/bulk/3', '/no-such-page'],
};

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns the violations of rules, or of tags of them, in the page, into which Axe was loaded. */
async function violationsOf(page: Page, rules: readonly string[]): Promise<string[]> {
  // Without `resultTypes`, Axe also describes every element that obeys, which takes most of its time.
  const options = JSON.stringify({ runOnly: rules, resultTypes: ['violations'] });
  const { violations } = (await page.evaluate(`axe.run(${options})`)) as AxeResults;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

describeInBrowser('a page of the board', ({ open }) => {
  const serve = async () => {
    const store = await openTemporaryStore();
    await playDay(store);
    await playBulk(store);
    return (await openAdmin({ store, guide: exampleGuide })).url;
  };

  it.each(Object.entries(pages))(
    'is accessible, obeys its policy and shows all columns, wide and light as well as narrow and dark, however hostile its texts: %s',
    async (_, paths) => {
      const url = await serve();
      const found: string[] = [];
      // Colors that change slowly would be measured in between.
      const { page, complaints } = await open(`${url}/board`, { reducedMotion: 'reduce' });
      for (const path of paths) {
        await page.goto(`${url}/board${path}`);
        await page.evaluate(axe);
        for (const { colorScheme, rules, fits, ...viewport } of guises) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize(viewport);
          const problems = rules.length > 0 ? await violationsOf(page, rules) : [];
          const over = await page
            .locator(fits)
            .evaluateAll((all) => Math.max(...all.map((it) => it.scrollWidth - it.clientWidth)));
          if (over > 0) problems.push(`is ${over} too wide`);
          found.push(...problems.map((problem) => `${path}, ${viewport.width} wide: ${problem}`));
        }
        if ((await page.title()).includes('owned')) found.push(`${path}: a text was run`);
      }
      expect(found).toEqual([]);
      expect(complaints.filter((it) => !/40[04]/.test(it))).toEqual([]);
    },
  );

  it('is a list of cards on a phone', async () => {
    const url = await serve();
    const { page } = await open(`${url}/board/subjects?attention=any`, { viewport: { width: 360, height: 740 } });
    const card = page.locator('tbody tr', { hasText: 'Order 2' });
    expect(await card.innerText()).toMatch(/Packed.*Incomplete.*Stalled/s);
    expect(await card.locator('td').evaluateAll((cells) => cells.every((it) => it.clientWidth <= 360))).toBe(true);
    await page.goto(`${url}/board/quarantine`);
    expect(
      await page
        .getByRole('button', { name: /^Reprocess/ })
        .first()
        .isVisible(),
    ).toBe(true);
  });

  it.each([true, false])('has a bar of links on a phone, with a script: %s', async (javaScriptEnabled) => {
    const url = await serve();
    const { page } = await open(`${url}/board`, { javaScriptEnabled, viewport: { width: 360, height: 740 } });
    const link = page.getByRole('navigation', { name: 'Board' }).getByRole('link', { name: 'Audit' });
    // Playwright scrolls to it, as a thumb does.
    await link.click();
    await page.waitForURL('**/board/audit');
    const bar = await page.getByRole('navigation', { name: 'Board' }).boundingBox();
    expect(bar).toMatchObject({ x: 0, width: 360 });
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBe(740);
    if (javaScriptEnabled)
      await expect(link.boundingBox()).resolves.toSatisfy((it) => it.x >= 0 && it.x + it.width <= 360);
  });

  it('has its links beside the page on a wide screen', async () => {
    const { page } = await open(`${await serve()}/board`, { viewport: { width: 1280, height: 720 } });
    const link = page.getByRole('navigation', { name: 'Board' }).getByRole('link', { name: 'Help' });
    expect(await link.isVisible()).toBe(true);
    expect((await page.locator('header').boundingBox())?.height).toBeLessThan(64);
  });

  it.each([true, false])(
    'shows a body formatted and, instead, as it was sent, with a script: %s',
    async (hasScript) => {
      const { page } = await open(`${await serve()}/board/announcements/receipt:9104:4/1/created`, {
        javaScriptEnabled: hasScript,
      });
      const [formatted, sent] = [page.locator('#formatted'), page.locator('#as-sent')];
      expect(await formatted.innerText()).toContain('{\n  "');
      expect(await sent.isVisible()).toBe(false);
      await page.getByText('As sent', { exact: true }).click();
      expect(await sent.innerText()).toMatch(/^\{"/);
      expect(await formatted.isVisible()).toBe(false);
    },
  );

  it('asks before it removes a note', async () => {
    const store = await openTemporaryStore();
    await recordAs(store, orderOf('7'), { lifecycle: lifecycleAt(1) });
    const { url, post } = await openAdmin({ store });
    await post('/subjects/9104/order/7/notes', { text: 'Wet.' });
    const { page } = await open(`${url}/board/subjects/9104/order/7`);
    const remove = page.getByRole('button', { name: 'Remove it for everybody' });
    expect(await remove.isVisible()).toBe(false);
    await page.getByText('Remove…').click();
    await remove.click();
    await expect.poll(() => page.getByText('Wet.').count()).toBe(0);
  });

  it('says in its title, and on a phone in its bar, how many alerts are open', async () => {
    const store = await openTemporaryStore();
    const { url } = await openAdmin({ store });
    const { page } = await open(`${url}/board`, { viewport: { width: 390, height: 800 } });
    expect(await page.title()).toBe('Overview · Dockline');
    await expect.poll(() => page.locator('#live.on').count()).toBe(1);
    const alert = {
      audience: '',
      condition: 'stalled',
      about: '',
      phase: 'open',
      since: 1,
      finding: '{}',
      notified: '{}',
    } as const;
    await store.db.insertInto('alerts').values(alert).execute();
    await expect.poll(() => page.title()).toBe('(1) Overview · Dockline');
    expect(await page.locator('.rail a:has-text("Alerts") .count').isVisible()).toBe(true);
  });

  it('shows texts as they are, and their direction goes no further', async () => {
    const { page } = await open(`${await serve()}/board/subjects/9104/order/2`);
    const facts = page.locator('main aside');
    for (const text of [hostile.markup, hostile.direction]) expect(await facts.innerText()).toContain(text);
    expect(await page.locator('main script, main img, main iframe').count()).toBe(0);
    await facts.locator('summary').first().click();
    expect(await facts.locator('details bdi').nth(1).innerText()).toBe(hostile.long);
    expect(await page.evaluate("getComputedStyle(document.querySelector('bdi')).unicodeBidi")).toMatch(/isolate/);
  });

  it('says the same without a script', async () => {
    const url = await serve();
    const { page } = await open(`${url}/board`, { javaScriptEnabled: false });
    const wordsOf = async () => (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
    expect(await wordsOf()).toMatch(/Incidents \d .*1 order of warehouse 9104 is in its stage for too long/);
    expect(await page.locator('#live').isVisible()).toBe(false);
    await page.getByLabel('Reference, id, customer or event').fill('PO-1');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/board/subjects/9104/order/1');
    expect(await wordsOf()).toMatch(/Order 1 1 Picked .*Of 2 lines, 1 picked and \d packed.*Alder Tea Company/);
    expect(await page.locator('main aside time[data-age]').first().innerText()).toMatch(/^3 h$/);
    expect(await page.locator('.timeline time').first().innerText()).toMatch(/ UTC$/);
  });

  it("shows times in the reader's zone, with the exact one on hover", async () => {
    const { page } = await open(`${await serve()}/board/subjects/9104/order/1`);
    const time = page.locator('.course time').first();
    await expect.poll(() => time.innerText()).toMatch(/ (AM|PM)$/);
    expect(await time.getAttribute('title')).toMatch(/(EST|EDT) \(\d{4}-\d\d-\d\dT.*Z\)$/);
  });

  it("divides a timeline where the reader's days begin", async () => {
    const { page } = await open(`${await serve()}/board/subjects/9104/receipt/4`);
    const heading = page.locator('.timeline .day h3');
    await expect.poll(() => heading.first().innerText()).toMatch(/day, \w+ \d+, \d{4}$/);
    expect(await page.locator('.timeline time').first().innerText()).toMatch(/^\d+:\d\d:\d\d (AM|PM)$/);
  });

  it('says of which zone its days and times are, and adds the day to a folded GET of another one', async () => {
    const url = `${await serve()}/board/subjects/9104/receipt/4`;
    const { page } = await open(url);
    await expect.poll(() => page.locator('[data-zone]').innerText()).toBe('America/New_York');
    const folded = (iso: string) => `<li><time datetime="${iso}"></time></li>`;
    // Midnight in New York is between the two, which are of one day in UTC.
    const entries = `<li class="day"><h3></h3></li><li><time datetime="2026-02-11T06:00:00Z"></time>
      <details open><ul>${folded('2026-02-11T05:30:00Z')}${folded('2026-02-11T04:00:00Z')}</ul></details></li>`;
    const html = await (await fetch(url)).text();
    const body = html.replace(/(<ol class="timeline">).*?(<\/ol>)/s, `$1${entries}$2`);
    await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body }));
    await page.goto(url);
    const times = page.locator('.timeline time');
    await expect.poll(() => times.allInnerTexts()).toEqual(['1:00:00 AM', '12:30:00 AM', 'Feb 10, 2026, 11:00:00 PM']);
  });

  it('weighs at most 120 KB with everything that it loads', async () => {
    const url = await serve();
    const { page } = await open('about:blank');
    const requests: Request[] = [];
    page.on('requestfinished', (request) => requests.push(request));
    await page.goto(`${url}/board`, { waitUntil: 'load' });
    await expect.poll(() => requests.length).toBeGreaterThanOrEqual(5);
    const sizes = await Promise.all([...requests].map((request) => request.sizes()));
    const bytes = sizes.reduce(
      (sum, { responseBodySize, responseHeadersSize: head }) => sum + responseBodySize + head,
      0,
    );
    expect(bytes).toBeGreaterThan(8000);
    expect(bytes).toBeLessThan(120 * 1024);
  });
});
