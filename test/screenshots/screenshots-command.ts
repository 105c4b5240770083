import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCommand, runCommand } from '../../src/cli/command.ts';
import { launch } from '../admin/board/browser.ts';

const folder = join(import.meta.dirname, '../../docs/images');

/** Pictures of the board; `order` stands for the address of an order that needs attention. */
const pictures = [
  { name: 'board-now', path: '/board', height: 900 },
  { name: 'board-order', path: 'order', height: 1400 },
] as const;

/** Stage limits and a rate of lost webhooks with which some orders get stuck. */
const STUCK = { SIMULATOR_DROP_RATE: '0.1', ORDER_STAGE_LIMITS: 'created=4000,fullyAllocated=4000,picked=4000' };

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
  await page.goto(board.href);
  await page.getByRole('button', { name: 'Hide this' }).click();
  for (const { name, path, height } of pictures) {
    await page.setViewportSize({ width: 1200, height });
    await page.goto(new URL('/board', board).href);
    const href = path === 'order' ? await page.locator('a[href*="/order/"]').first().getAttribute('href') : path;
    await page.goto(new URL(href ?? path, board).href);
    await page.locator('#live-state', { hasText: 'Live' }).waitFor();
    await page.screenshot({ path: join(folder, `${name}.png`) });
  }
}

/** Starts Dockline with a simulated warehouse, some of whose orders get stuck. */
function startDemonstration(data: string) {
  const program = join(import.meta.dirname, '../../src/cli/dockline.cjs');
  const ports = ['TEMPORAL', 'TEMPORAL_UI', 'WAREHOUSE', 'WEBHOOK', 'ANNOUNCE', 'ADMIN', 'MAILBOX'].map((it) => [
    `${it}_PORT`,
    '0',
  ]);
  const child = spawn(process.execPath, [program, 'start', '--orders', '40'], {
    env: { ...process.env, DATA_FOLDER: data, ...STUCK, LOG_LEVEL: 'error', ...Object.fromEntries(ports) },
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
