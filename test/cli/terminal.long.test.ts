import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openExamined } from '../app/doctor/examining.ts';
import { openFolder } from '../support/temporal-server.ts';
import { anyPorts } from './running-command.ts';
import { hasTmux, openScreen } from './terminal-screen.ts';

const root = join(import.meta.dirname, '../..');
const program = join(root, 'src/cli/dockline.cjs');

describe.runIf(hasTmux)('dockline init at a terminal', () => {
  const looks: [columns: number, env: Record<string, string>, isColored: boolean][] = [
    [80, {}, true],
    [40, { NO_COLOR: '1' }, false],
  ];

  it.each(looks)(
    'shows each question where the answer is typed, %i columns wide, %j',
    async (columns, env, isColored) => {
      const { right } = await openExamined();
      const cwd = await openFolder();
      const command = [process.execPath, program, 'init'];
      const screen = openScreen({ command, columns, cwd, env: { ANNOUNCE_SECRET: right.ANNOUNCE_SECRET, ...env } });
      const answer = async (question: string, text: string, shown = text) => {
        await screen.untilEndsWith(`${question}\n>`);
        screen.type(text);
        await screen.untilEndsWith(`${question}\n>${shown && ` ${shown}`}`);
        screen.press('Enter');
      };
      const tell = async (secret: string) => {
        await answer("Base address of the warehouse's REST API [https://secure-wms.com]", right.WAREHOUSE_BASE_URL);
        await answer(`Address of the server that issues access tokens [${right.WAREHOUSE_BASE_URL}]`, '');
        await answer('Client id of the OAuth 2.0 client credentials', right.WAREHOUSE_CLIENT_ID);
        await answer('Client secret of these credentials (not shown while you type)', secret, '');
        await answer(
          'Login, or its id, of the user that the warehouse created for this integration',
          right.WAREHOUSE_USER_LOGIN,
        );
        await answer('Account number (tplId), which is in each webhook and in the address of the warehouse', '9104');
      };
      await tell('mistyped');
      await answer('Keep these answers anyway? [y/N]', 'n');
      // What was typed is offered again; only what is wrong has to be typed.
      await answer(`Base address of the warehouse's REST API [${right.WAREHOUSE_BASE_URL}]`, '');
      await answer(`Address of the server that issues access tokens [${right.WAREHOUSE_BASE_URL}]`, '');
      await answer(`Client id of the OAuth 2.0 client credentials [${right.WAREHOUSE_CLIENT_ID}]`, '');
      const secret = 'Client secret of these credentials [as before] (not shown while you type)';
      await answer(secret, right.WAREHOUSE_CLIENT_SECRET, '');
      await answer(
        `Login, or its id, of the user that the warehouse created for this integration [${right.WAREHOUSE_USER_LOGIN}]`,
        '',
      );
      await answer('Account number (tplId), which is in each webhook and in the address of the warehouse [9104]', '');
      await answer('Write a receiver to begin with, receiver.mjs? [y/N]', 'y');
      await answer('URL of your receiver, to which announcements are posted', right.ANNOUNCE_URL);
      await screen.untilShows('[ended with 0]');
      expect(screen.text()).toContain('Wrote .env');
      // What is pasted from the screen is whole.
      const whole = ['npx dockline doctor', 'npx dockline backfill --open', `ANNOUNCE_SECRET=${right.ANNOUNCE_SECRET}`];
      for (const line of whole) expect(screen.text()).toMatch(new RegExp(`^ +${line.replaceAll('+', '\\+')}`, 'm'));
      expect(spawnSync(process.execPath, ['--check', 'receiver.mjs'], { cwd }).status).toBe(0);
      expect(screen.text()).not.toMatch(new RegExp(`mistyped|${right.WAREHOUSE_CLIENT_SECRET}`));
      expect(screen.styled().includes('\u001b[1m')).toBe(isColored);
      const { WAREHOUSE_CLIENT_SECRET, ANNOUNCE_URL } = right;
      const written = parseEnv(await readFile(join(cwd, '.env'), 'utf8'));
      expect(written).toMatchObject({ WAREHOUSE_CLIENT_SECRET, ANNOUNCE_URL });
    },
  );

  it.each(['C-c', 'C-d'])('writes nothing after %s', async (key) => {
    const cwd = await openFolder();
    const screen = openScreen({ command: [process.execPath, program, 'init'], cwd });
    await screen.untilEndsWith('[https://secure-wms.com]\n>');
    screen.press(key);
    await screen.untilShows('[ended with 1]');
    expect(screen.text()).toContain('dockline: stopped before the last question; nothing is written');
    expect(existsSync(join(cwd, '.env'))).toBe(false);
  });

  it('takes answers that are pasted at once', async () => {
    const screen = openScreen({ command: [process.execPath, program, 'init', '--unchecked'], cwd: await openFolder() });
    await screen.untilEndsWith('[https://secure-wms.com]\n>');
    screen.type('\n\nan-id\na-secret\na-login\n9104\nn\nhttps://hooks.example.com/in\n');
    await screen.untilShows('[ended with 0]');
  });
});

describe.runIf(hasTmux)('progress at a terminal', () => {
  it.each([40, 80])('takes one line, however long it is: %i columns', async (columns) => {
    const script = `
      import { createProgress } from '${join(root, 'src/cli/output.ts')}';
      const progress = createProgress(process.stdout);
      for (let n = 1; n <= 30; n += 1) progress.show(n + ' of 30 rows'.repeat(n));
      progress.show('30 of 30 rows');
      progress.end();`;
    const command = [process.execPath, '--input-type=module', '-e', script];
    const screen = openScreen({ command, columns, cwd: root });
    await screen.untilEndsWith('30 of 30 rows\n[ended with 0]');
    expect(screen.rows()).toBe(2);
  });
});

describe.runIf(hasTmux)('a message at a terminal', () => {
  it('replaces progress, and is broken between words', async () => {
    const script = `
      import { openOutput } from '${join(root, 'src/cli/output.ts')}';
      const { say, progress } = openOutput({});
      progress.show('29 of 30 rows');
      say('Thirty rows were copied to the folder of a long name.\\nboard          http://127.0.0.1:3001/board/subjects');`;
    const command = [process.execPath, '--input-type=module', '-e', script];
    const screen = openScreen({ command, columns: 40, cwd: root });
    await screen.untilShows('[ended with 0]');
    expect(screen.text()).toBe(
      'Thirty rows were copied to the folder of\na long name.\nboard\nhttp://127.0.0.1:3001/board/subjects\n[ended with 0]',
    );
  });
});

it.runIf(hasTmux)('a demonstration ends in some lines and an address, and Ctrl-C in "Stopped."', async () => {
  const command = [process.execPath, program, 'demo', '--orders', '2'];
  const env = { ...anyPorts, DATA_FOLDER: await openFolder() };
  const screen = openScreen({ command, columns: 80, cwd: root, env });
  await screen.untilShows('Press Ctrl-C to stop it.');
  await expect.poll(screen.text).toMatch(/open http:\S+\/board$/);
  expect(screen.text()).toMatch(/✓ (\d+) of \1 events announced once, in order/);
  for (const label of ['board', 'stuck orders', 'Temporal UI', 'receiver erp', 'receiver shop'])
    expect(screen.text().match(new RegExp(`^${label} `, 'gm')), label).toHaveLength(1);
  expect(screen.text()).toMatch(/^stuck orders +http:\S+\/board\/subjects\?attention=any$/m);
  expect(screen.text()).not.toContain('announcements received');
  screen.press('C-c');
  await screen.untilShows('[ended with 0]');
  const [, after = ''] = screen.text().split('^C');
  expect(after.trim()).toBe('Stopping. Press Ctrl-C again to exit immediately.\nStopped.\n[ended with 0]');
});
