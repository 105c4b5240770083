import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'acorn';
import { describe, expect, it, onTestFinished } from 'vitest';
import { longLimits } from '../limits.ts';
import { createFolder } from '../support/temporal-server.ts';

const root = join(import.meta.dirname, '../..');
const program = './src/cli/dockline.cjs';

/** Asks for the version in a Node that says it is of another one. */
async function runAs(version: string) {
  const folder = await createFolder();
  onTestFinished(folder.remove);
  const disguise = join(folder.path, 'disguise.cjs');
  await writeFile(disguise, `Object.defineProperty(process.versions, 'node', { value: '${version}' });`);
  const args = ['-r', disguise, program, '--version'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const { scripts, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

describe('a Node that is too old', () => {
  it('can parse the program as far as it needs', async () => {
    expect(() =>
      parse(readFileSync(join(root, program), 'utf8'), { ecmaVersion: 5, allowHashBang: true }),
    ).not.toThrow();
  });

  it('is named with what to do', async () => {
    expect(await runAs('22.20.0')).toEqual({
      status: 1,
      stdout: '',
      stderr:
        "dockline: Node 24 or later is required, and this is 22.20.0. Install one; in a checkout, `npm ci` brings one for npm's commands.\n",
    });
  });

  it('is one below that of `engines`', async () => {
    expect(await runAs('24.0.0')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });
});

it('every script of npm that is a command of it runs it', () => {
  const { stdout } = spawnSync(process.execPath, [program, '--help'], { cwd: root, encoding: 'utf8' });
  const [, list = ''] = /^Commands:\n(.*?)\n\n/ms.exec(stdout) ?? [];
  const names = [...list.matchAll(/^ {2}(\S+)/gm)].map(([, name = '']) => name);
  expect(names).toContain('start');
  expect(names.filter((name) => name in scripts && scripts[name] !== `node src/cli/dockline.cjs ${name}`)).toEqual([]);
});

it('--config names the file that variables are read from, also one that begins with a byte order mark', async () => {
  const folder = await createFolder();
  onTestFinished(folder.remove);
  const file = join(folder.path, 'settings');
  await writeFile(file, '\ufeffWEBHOOK_PORT=http');
  const args = [program, '--config', file, 'doctor', '--json'];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(JSON.parse(stdout).checks).toMatchObject([
    {
      tried: `the environment and the file ${file}`,
      found: expect.stringContaining('WEBHOOK_PORT: must be'),
    },
  ]);
});

describe.runIf(process.getuid?.() === 0)('a user id without a name and without a home', () => {
  const { HOME: _, ...homeless } = process.env;
  const runAsNobody = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    spawnSync(process.execPath, [join(root, program), ...args], {
      cwd: '/',
      encoding: 'utf8',
      uid: 54_321,
      gid: 54_321,
      env: { ...homeless, TEMPORAL_ADDRESS: '127.0.0.1:1', ADMIN_URL: 'http://127.0.0.1:1', ...env },
    });

  it.each([
    [['admin', 'status'], 'nothing answers at http://127.0.0.1:1'],
    [['temporal', '--version'], 'No Temporal server to start'],
  ])('can run %j', (args, words) => {
    expect(runAsNobody(args).stderr).toMatch(new RegExp(`^dockline: ${words}`, 'm'));
  });

  it('is told where nothing can be written, with what sets the folder', () => {
    const { status, stderr } = runAsNobody(['demo'], { NODE_COMPILE_CACHE: undefined });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining('/.dockline cannot be created (EACCES): DATA_FOLDER'),
    });
  });

  it('can have the doctor examine everything', () => {
    const { status, stdout } = runAsNobody(['doctor', '--json']);
    expect(status).toBe(1);
    expect(JSON.parse(stdout).checks.length).toBeGreaterThan(5);
  });
});

it('a data folder that cannot exist is refused', () => {
  const { status, stderr } = spawnSync(process.execPath, [program, 'demo'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, DATA_FOLDER: '/proc/none' },
    timeout: longLimits.testTimeout,
  });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining('dockline: /proc/none cannot be created (ENOENT)'),
  });
});

/** Says in a thread where that keeps what Node makes. */
const inThread = `process.argv.push('', '--version'); require('${program}'); new (require('worker_threads').Worker)("console.log(require('module').getCompileCacheDir())", { eval: true })`;

it('keeps what Node and its threads make of the sources in the cache folder, and does without where nothing can be written', async () => {
  const folder = await createFolder();
  onTestFinished(folder.remove);
  const runIn = (cache: string, args: readonly string[]) =>
    spawnSync(process.execPath, args, {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NODE_COMPILE_CACHE: undefined, XDG_CACHE_HOME: cache },
      timeout: longLimits.testTimeout,
    });
  const help = (cache: string) => runIn(cache, [program, 'admin', '--help']);
  const { stdout } = help(folder.path);
  expect(stdout).toContain('Usage');
  const kept = readdirSync(join(folder.path, 'dockline/compiled'), { recursive: true });
  expect(kept.length).toBeGreaterThan(100);
  expect(help(folder.path)).toMatchObject({ status: 0, stdout, stderr: '' });
  expect(runIn(folder.path, ['-e', inThread]).stdout).toContain(folder.path);
  const file = join(folder.path, 'file');
  await writeFile(file, '');
  for (const unusable of [file, '/proc/none', join(folder.path, 'none/none')])
    expect(help(unusable)).toMatchObject({ status: 0, stdout, stderr: '' });
});
