import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'acorn';
import { describe, expect, it } from 'vitest';
import { longLimits } from '../limits.ts';
import { openFolder } from '../support/temporal-server.ts';

const root = join(import.meta.dirname, '../..');
const program = './src/cli/dockline.cjs';

/** Asks for the version in a Node that says it is of another one. */
async function runAs(version: string) {
  const disguise = join(await openFolder(), 'disguise.cjs');
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
        'dockline: Node 24 or later is required, and this is 22.20.0. Install one, or use npm, which runs the one of a checkout: npm ci, then npm start.\n',
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

describe.runIf(process.getuid?.() === 0)('a user id without a name and without a home', () => {
  const { HOME: _, ...homeless } = process.env;
  const runAsNobody = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    spawnSync(process.execPath, [join(root, program), ...args], {
      cwd: '/',
      encoding: 'utf8',
      uid: 54_321,
      gid: 54_321,
      env: { ...homeless, TEMPORAL_ADDRESS: '127.0.0.1:1', ...env },
    });

  it('can run a command with the file of variables that --config names, also one that begins with a byte order mark', async () => {
    const folder = await openFolder();
    await chmod(folder, 0o755);
    const file = join(folder, 'settings');
    await writeFile(file, '\ufeffADMIN_URL=http://127.0.0.1:1');
    expect(runAsNobody(['--config', file, 'admin', 'status']).stderr).toMatch(
      /^dockline: nothing answers at http:\/\/127\.0\.0\.1:1/m,
    );
  });

  it('can run Temporal, if it is there', () => {
    expect(runAsNobody(['temporal', '--version']).stderr).toMatch(/^dockline: No Temporal server to start/m);
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
    expect(JSON.parse(stdout).checks.length).toBeGreaterThan(1);
  });
});

/** Says in a thread where that keeps what Node makes. */
const inThread = `process.argv.push('', '--version'); require('${program}'); new (require('worker_threads').Worker)("console.log(require('module').getCompileCacheDir())", { eval: true })`;

it('keeps what Node and its threads make of the sources in the cache folder, and does without where nothing can be written', async () => {
  const folder = await openFolder();
  const runIn = (cache: string, args: readonly string[]) =>
    spawnSync(process.execPath, args, {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NODE_COMPILE_CACHE: undefined, XDG_CACHE_HOME: cache },
      timeout: longLimits.testTimeout,
    });
  const run = (cache: string, ...args: readonly string[]) => runIn(cache, [program, ...args]);
  const help = run(folder, 'admin', '--help');
  expect(help.stdout).toContain('Usage');
  const kept = readdirSync(join(folder, 'dockline/compiled'), { recursive: true });
  expect(kept.length).toBeGreaterThan(100);
  expect(run(folder, 'admin', '--help')).toMatchObject({ status: 0, stdout: help.stdout, stderr: '' });
  expect(runIn(folder, ['-e', inThread]).stdout).toContain(folder);
  const file = join(folder, 'file');
  await writeFile(file, '');
  for (const unusable of [file, '/proc/none', join(folder, 'none/none')])
    expect(run(unusable, '--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
});
