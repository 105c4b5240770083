import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createCommand, runCommand } from '../../src/cli/command.ts';
import { launch } from '../../test/admin/board/browser.ts';
import { drawFilm, type Frame } from './film.ts';

/** Pictures that documents show, and all that `npm run screenshots` takes for looking at. */
const shown = join(import.meta.dirname, '../../docs/images');
const every = join(import.meta.dirname, '../../.screenshots');

const themes = ['light', 'dark'] as const;
const widths = [1280, 1024, 390] as const;

/** Pages of the board. */
const pictures: readonly {
  readonly name: string;
  readonly path: string;
  /** Link on the page, whose own page is meant. */
  readonly link?: string;
  /** Themes in which documents show it. */
  readonly shownIn?: readonly (typeof themes)[number][];
}[] = [
  { name: 'now', path: '/board', shownIn: themes },
  { name: 'orders', path: '/board/subjects' },
  { name: 'order', path: '/board/subjects?stage=confirmed', link: 'tbody tr:nth-child(6) th a', shownIn: ['light'] },
  { name: 'stuck', path: '/board/subjects?attention=any', link: 'tbody th a' },
  { name: 'inventory', path: '/board/subjects?kind=receipt' },
  { name: 'lead-times', path: '/board/lead-times', shownIn: ['light'] },
  { name: 'destinations', path: '/board/destinations' },
  { name: 'destination', path: '/board/destinations', link: 'tbody th a' },
  { name: 'deliveries', path: '/board/announcements/all' },
  { name: 'delivery', path: '/board/announcements/all', link: 'tbody th a' },
  { name: 'dead-letters', path: '/board/dead-letters' },
  { name: 'webhooks', path: '/board/webhooks' },
  { name: 'webhook', path: '/board/webhooks', link: 'tbody th a' },
  { name: 'quarantine', path: '/board/quarantine' },
  { name: 'alerts', path: '/board/alerts' },
  { name: 'audit', path: '/board/audit' },
  { name: 'bulk', path: '/board/bulk' },
  { name: 'settings', path: '/board/system' },
  { name: 'help', path: '/board/docs' },
  { name: 'search', path: '/board/search?q=OR' },
  { name: 'name', path: '/board/name' },
  { name: 'mailbox', path: '/board/guide/mailbox' },
];

/** Of the demonstration, so that the page to sign in is one of the pictures. */
const token = randomUUID();

/** Size of the film. */
const film = { width: 1280, height: 800 } as const;

/** `npm run screenshots`. */
await runCommand(
  createCommand(
    'npm run screenshots --',
    'Takes pictures of every page of the board, light and dark, wide and narrow, into .screenshots, and those of the documents into docs/images, with a film of a receiver that is killed.',
  )
    .option('--board <url>', 'a board that runs already; default: that of a demonstration')
    .action(takeAll),
  { program: 'screenshots' },
);

async function takeAll({ board: given }: { readonly board?: string }): Promise<void> {
  await using opened = new AsyncDisposableStack();
  await mkdir(every, { recursive: true });
  const board = new URL(given ?? (await openDemonstration(opened)));
  const browser = opened.adopt(await launch(), (it) => it.close());
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'America/New_York', deviceScaleFactor: 1.5 });
  const page = await context.newPage();
  if (given === undefined) {
    await page.goto(board.href);
    await takePictures(page, page.url(), 'sign-in');
    await page.getByLabel('Token').fill(token);
    await page.keyboard.press('Enter');
    // The order that the demonstration has stuck on purpose is an incident after a minute.
    await page.locator('li.incident').first().waitFor({ timeout: 180_000 });
  }
  for (const { name, path, link, shownIn } of pictures) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(new URL(path, board).href);
    const linked =
      link === undefined
        ? path
        : await page
            .locator(link)
            .first()
            .getAttribute('href', { timeout: 1000 })
            .catch(() => null);
    if (linked === null) continue;
    await takePictures(page, new URL(linked, board).href, name, given === undefined ? shownIn : []);
  }
  if (given === undefined) await takeFilm(browser, context, board);
}

/** Takes a page at each width in each theme, and for the documents in those given. */
async function takePictures(page: Page, address: string, name: string, shownIn: readonly string[] = []): Promise<void> {
  for (const width of widths)
    for (const colorScheme of themes) {
      await page.setViewportSize({ width, height: width > 900 ? 900 : 844 });
      await page.emulateMedia({ colorScheme });
      await page.goto(address);
      // Documents, the mailbox and the door have nothing live.
      await page.locator('body:has(#live.on), html:not([data-version])').waitFor({ state: 'attached' });
      const dark = colorScheme === 'dark' ? '-dark' : '';
      await page.screenshot({ path: join(every, `${name}-${width}${dark}.png`), fullPage: true });
      if (shownIn.includes(colorScheme) && width === 1280)
        await writeFile(join(shown, `board-${name}${dark}.webp`), await takeWebp(page));
    }
}

/** Takes what is seen of a page as WebP, a third as large as PNG, which Playwright itself does not offer. */
async function takeWebp(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  await session.detach();
  return Buffer.from(data, 'base64');
}

/** Films how the receiver of a demonstration is killed and brought back. */
async function takeFilm(browser: Browser, signedIn: BrowserContext, board: URL): Promise<void> {
  const storageState = await signedIn.storageState();
  const zone = { locale: 'en-US', timezoneId: 'America/New_York' };
  const page = await browser.newPage({ ...zone, storageState, viewport: film });
  const frames: Frame[] = [];
  const take = async (caption: string, seconds: number) => {
    await page.locator('#live.on').waitFor();
    frames.push({ webp: await takeWebp(page), caption, seconds });
  };
  const choose = async (button: string) => {
    await page.locator('[popovertarget="guide"]').first().click();
    await page.locator('#guide').waitFor();
    await take(`${button}.`, 3);
    await page.locator(`#guide button:has-text("${button}")`).click();
    await page.waitForURL('**/board/destinations/**');
  };
  await page.goto(board.href);
  await take('Every event of the warehouse reaches your receivers.', 4);
  await choose('Kill the receiver');
  await page.locator('tbody tr:has-text("503")').first().waitFor({ timeout: 60_000 });
  await take('It answers 503: announcements wait, and each attempt is shown.', 5);
  await page.goto(board.href);
  const incident = page.locator('li.incident:has-text("to all announcements")');
  await incident.waitFor({ timeout: 180_000 });
  await take('The board says what is wrong, since when, and whom it holds up.', 5);
  await choose('Bring the receiver back');
  await page.goto(board.href);
  await incident.waitFor({ state: 'detached', timeout: 180_000 });
  await take('Everything arrives, in order, once under its id.', 5);
  await page.close();
  await writeFile(join(shown, 'killed-receiver.svg'), drawFilm(frames, film));
}

/** Returns the address of the board of a demonstration, which is closed with the others. */
async function openDemonstration(opened: AsyncDisposableStack): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), 'dockline-screenshots-'));
  const demonstration = startDemonstration(data);
  opened.defer(() => rm(data, { recursive: true, force: true }));
  opened.defer(() => demonstration.stop());
  return await demonstration.board;
}

/** Starts a demonstration whose day has more to show than its beginning. */
function startDemonstration(data: string) {
  const program = join(import.meta.dirname, '../../src/cli/dockline.cjs');
  const ports = ['TEMPORAL', 'TEMPORAL_UI', 'WAREHOUSE', 'WEBHOOK', 'ANNOUNCE', 'ADMIN', 'MAILBOX'].map((it) => [
    `${it}_PORT`,
    '0',
  ]);
  const child = spawn(process.execPath, [program, 'start', '--orders', '4'], {
    env: {
      ...process.env,
      ADMIN_TOKENS: `ana:read+bodies+act+manage:${token}`,
      DATA_FOLDER: data,
      LOG_LEVEL: 'error',
      ...Object.fromEntries(ports),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: tmpdir(),
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const board = new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (more: string) => {
      text += more;
      const [, url] = /^board +(\S+)/m.exec(text) ?? [];
      if (url && text.includes('Dockline is running')) resolve(url);
    });
    ended.then(() => reject(new Error(`the demonstration ended:\n${text}`)));
  });
  return {
    /** Address of the board, once everything is announced. */
    board,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
