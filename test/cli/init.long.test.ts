import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findPort } from '../../sandbox/temporal-server/port.ts';
import { formatEnvFile, RECEIVER } from '../../src/cli/init.ts';
import { loadConfig } from '../../src/config/config.ts';
import { openExamined } from '../app/doctor/examining.ts';
import { openFolder } from '../support/temporal-server.ts';
import { run } from './running-command.ts';

/** Opens a warehouse and a receiver; returns what leads to them as options, and what else the command has to know. */
async function openWanted() {
  const { right, receiver } = await openExamined();
  const args = [
    ...['--warehouse', right.WAREHOUSE_BASE_URL, '--client-id', right.WAREHOUSE_CLIENT_ID],
    ...['--login', right.WAREHOUSE_USER_LOGIN, '--tenant', right.WAREHOUSE_TENANT, '--announce', right.ANNOUNCE_URL],
  ];
  const { WAREHOUSE_CLIENT_SECRET, ANNOUNCE_SECRET } = right;
  return { right, receiver, args, env: { WAREHOUSE_CLIENT_SECRET, ANNOUNCE_SECRET } };
}

describe('dockline init', () => {
  it('tries what options and variables say, and writes a file that only its owner reads', async () => {
    const { right, receiver, args, env } = await openWanted();
    const folder = await openFolder();
    const { ended, written } = run('init', [...args, '--host', 'dockline.example.com'], env, folder);
    expect(await ended, written.stderr + written.stdout).toBe(0);
    expect(receiver.tests()).toBe(1);
    expect(written.stdout).toContain('https://dockline.example.com/webhooks/warehouse');
    expect(written.stdout).toContain('Order Item');
    expect(written.stdout + written.stderr).not.toContain(right.WAREHOUSE_CLIENT_SECRET);
    const file = join(folder, '.env');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = await readFile(file, 'utf8');
    const { DATA_FOLDER: _, WAREHOUSE_CALLS_PER_SECOND: _rate, ...wanted } = right;
    expect(parseEnv(text)).toMatchObject(wanted);
    expect(text.split('\n').filter((line) => /^[^#].*#/.test(line))).toEqual([]);
    expect(loadConfig(parseEnv(text))).toMatchObject({ notices: [], tenants: [{ id: '9104' }] });
  });

  it('writes nothing where a check fails, unless that is said', async () => {
    const { args, env } = await openWanted();
    const folder = await openFolder();
    const wrong = { ...env, WAREHOUSE_CLIENT_SECRET: 'another' };
    const refused = run('init', args, wrong, folder);
    expect(await refused.ended).toBe(1);
    expect(refused.written.stdout).toMatch(/failed +token/);
    expect(refused.written.stderr).toContain('nothing is written');
    expect(existsSync(join(folder, '.env'))).toBe(false);
    const unchecked = run('init', [...args, '--unchecked', '--json'], wrong, folder);
    expect(await unchecked.ended).toBe(0);
    expect(JSON.parse(unchecked.written.stdout)).toMatchObject({ file: '.env' });
  });

  it.each([
    [
      ['--warehouse', 'https://warehouse.test'],
      {},
      2,
      /--client-id <id>\n.*CLIENT_SECRET.*--login <login>\n.*--announce <url>\n/s,
    ],
    [['--client-id', '7', '--warehouse', 'https://warehouse.test'], {}, 2, /WAREHOUSE_CLIENT_SECRET/],
    [['--client-secret', '7'], {}, 2, /unknown option/],
  ])('lists everything that is missing without a terminal: %j', async (args, env, code, message) => {
    const { ended, written } = run('init', args, env, await openFolder());
    expect(await ended).toBe(code);
    expect(written.stderr).toMatch(message);
  });

  it('replaces no file', async () => {
    const folder = await openFolder();
    await writeFile(join(folder, '.env'), 'LOG_LEVEL=info\n');
    const { ended, written } = run('init', [], {}, folder);
    expect(await ended).toBe(1);
    expect(written.stderr).toContain('.env exists');
  });
});

it('the receiver to begin with takes what is signed, and refuses what is not', async () => {
  const { args, env } = await openWanted();
  const folder = await openFolder();
  await writeFile(join(folder, 'receiver.mjs'), RECEIVER);
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  const port = await findPort(0, 'PORT');
  const child = spawn(process.execPath, ['receiver.mjs'], { cwd: folder, env: { ...env, PORT: String(port) } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  await expect.poll(() => said).toBe(`Listening on port ${port}\n`);
  const url = `http://127.0.0.1:${port}/`;
  expect(await fetch(url, { method: 'POST' })).toMatchObject({ status: 401 });
  const announced = [...args.slice(0, -1), url];
  const { ended, written } = run('init', announced, env, folder);
  expect(await ended, written.stdout + written.stderr).toBe(0);
});

describe('a file of variables', () => {
  it.each(['plain', 'with space', 'a#b', 'a "quoted" one', "it's", 'back\\slash', '$HOME', 'ends with ='])(
    'has the value as it is: %s',
    (value) => {
      expect(parseEnv(formatEnvFile({ WAREHOUSE_CLIENT_SECRET: value })).WAREHOUSE_CLIENT_SECRET).toBe(value);
    },
  );

  it('refuses a value that it cannot have', () => {
    expect(() => formatEnvFile({ WAREHOUSE_CLIENT_SECRET: 'two\nlines' })).toThrow('WAREHOUSE_CLIENT_SECRET');
  });
});
