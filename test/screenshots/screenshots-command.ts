import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCommand, runCommand } from '../../src/cli/command.ts';
import { launch } from '../admin/board/browser.ts';

const folder = join(import.meta.dirname, '../../docs/images');

/** Pictures of the board; `order` stands for the address of an order that was shipped. */
const pictures = [
  { name: 'board-now', path: '/board' },
  { name: 'board-orders', path: '/board/subjects' },
  { name: 'board-order', path: 'order' },
] as const;

const themes = ['light', 'dark'] as const;

/** `npm run screenshots`. */
await runCommand(
  createCommand(
    'npm run screenshots --',
    'Takes the pictures of the board in docs/images from a demonstration.',
  ).action(takeAll),
  { program: 'screenshots' },
);

async function takeAll(): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'dockline-screenshots-'));
  await mkdir(folder, { recursive: true });
  const demonstration = startDemonstration(data);
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rm(data, { recursive: true, force: true }));
  opened.defer(() => demonstration.stop());
  const board = new URL(await demonstration.board);
  const browser = opened.adopt(await launch(), (it) => it.close());
  const page = await browser.newPage({ locale: 'en-US', timezoneId: 'America/New_York', deviceScaleFactor: 1.5 });
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(new URL('/board/subjects?stage=confirmed', board).href);
  const order = await page.locator('tbody th a').nth(5).getAttribute('href');
  for (const { name, path } of pictures)
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme });
      await page.goto(new URL(path === 'order' ? (order ?? '/board') : path, board).href);
      await page.locator('#live-state', { hasText: 'Live' }).waitFor();
      await page.screenshot({ path: join(folder, `${name}${colorScheme === 'dark' ? '-dark' : ''}.png`) });
    }
}

/** Starts a demonstration whose day has more to show than its beginning. */
function startDemonstration(data: string) {
  const program = join(import.meta.dirname, '../../src/cli/dockline.cjs');
  const ports = ['TEMPORAL', 'TEMPORAL_UI', 'WAREHOUSE', 'WEBHOOK', 'ANNOUNCE', 'ADMIN', 'MAILBOX'].map((it) => [
    `${it}_PORT`,
    '0',
  ]);
  const child = spawn(process.execPath, [program, 'start', '--orders', '4'], {
    env: { ...process.env, DATA_FOLDER: data, LOG_LEVEL: 'error', ...Object.fromEntries(ports) },
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
