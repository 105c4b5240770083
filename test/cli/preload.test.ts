import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFolder } from '../support/temporal-server.ts';

const root = join(import.meta.dirname, '../..');
const preload = './src/cli/preload.cjs';

/** Runs the check in a Node that says it is of another version. */
async function runAs(version: string) {
  const folder = await createFolder();
  onTestFinished(folder.remove);
  const disguise = join(folder.path, 'disguise.cjs');
  await writeFile(disguise, `Object.defineProperty(process.versions, 'node', { value: '${version}' });`);
  const args = ['-r', disguise, '-r', preload, '-e', 'console.log("started")'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('a Node that is too old', () => {
  it('is named with what to do', async () => {
    expect(await runAs('22.20.0')).toEqual({
      status: 1,
      stdout: '',
      stderr:
        "dockline: Node 24 or later is required, and this is 22.20.0. Install one, or run `npm ci`, which brings one for npm's commands.\n",
    });
  });

  it('is one below that of `engines`', async () => {
    expect(await runAs('24.0.0')).toEqual({ status: 0, stdout: 'started\n', stderr: '' });
  });

  it('is noticed by every command of the product', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const commands = Object.values<string>(scripts).filter((script) => script.includes(' src/cli/'));
    expect(commands.length).toBeGreaterThan(7);
    expect(commands.filter((script) => !script.startsWith(`node -r ${preload} src/cli/`))).toEqual([]);
  });
});

/** Says in a thread where that keeps what Node makes. */
const inThread = `new (require('worker_threads').Worker)("console.log(require('module').getCompileCacheDir())", { eval: true })`;

it('keeps what Node and its threads make of the sources in the cache folder, and does without where nothing can be written', async () => {
  const folder = await createFolder();
  onTestFinished(folder.remove);
  const runIn = (cache: string, args: readonly string[]) =>
    spawnSync(process.execPath, ['-r', preload, ...args], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NODE_COMPILE_CACHE: undefined, XDG_CACHE_HOME: cache },
      timeout: 60_000,
    });
  const help = (cache: string) => runIn(cache, ['src/cli/admin.ts', '--help']);
  const { stdout } = help(folder.path);
  expect(stdout).toContain('Usage');
  const kept = readdirSync(join(folder.path, 'dockline/compiled'), { recursive: true });
  expect(kept.length).toBeGreaterThan(100);
  expect(help(folder.path)).toMatchObject({ status: 0, stdout, stderr: '' });
  expect(runIn(folder.path, ['-e', inThread]).stdout).toContain(folder.path);
  const file = join(folder.path, 'file');
  await writeFile(file, '');
  for (const unusable of [file, '/proc/none', join(folder.path, 'none')])
    expect(help(unusable)).toMatchObject({ status: 0, stdout, stderr: '' });
});
