import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { longLimits } from '../limits.ts';
import { createFolder } from '../support/temporal-server.ts';
import { canConfine } from './systemd/confinement.ts';

const run = promisify(execFile);

/** Oldest Node of `engines`. */
const OLDEST = '24.0.0';

/** Where the package is installed; the path has spaces. */
let home: string;

beforeAll(async () => {
  const folder = await createFolder();
  home = join(folder.path, 'a folder of ours');
  await mkdir(join(home, 'data'), { recursive: true });
  await writeFile(join(home, 'package.json'), JSON.stringify({ private: true, allowScripts: { node: true } }));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', home]);
  const [{ filename }] = JSON.parse(stdout);
  const args = ['install', '--prefer-offline', '--no-audit', `./${filename}`, `node@${OLDEST}`];
  await run('npm', args, { cwd: home });
  return folder.remove;
  // Some 330 MB.
}, 2 * longLimits.hookTimeout);

describe('the package', () => {
  it('has the program, what it is compiled to, and no sources or tests', async () => {
    const installed = join(home, 'node_modules/dockline');
    expect((await readdir(installed)).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json', 'src']);
    expect(await readdir(join(installed, 'src'), { recursive: true })).toEqual([
      'cli',
      'cli/dockline.cjs',
      'cli/launch.cjs',
    ]);
    const names = await readdir(join(installed, 'dist'), { recursive: true });
    expect(names.filter((name) => /(?<!\.d)\.ts$|\.test\./.test(name))).toEqual([]);
    const map = JSON.parse(await readFile(join(installed, 'dist/src/cli/commands.js.map'), 'utf8'));
    expect(map.sourcesContent[0]).toContain('export const commands');
  });

  it.runIf(canConfine)(
    `demonstrates on Node ${OLDEST} without network or rights, beside a folder that it may write`,
    async () => {
      // The server is installed, as by an earlier start.
      await copyFile(inject('temporalBinary'), join(home, 'node_modules/.bin/temporal'));
      const data = join(home, 'data');
      const path = `${join(home, 'node_modules/.bin')}:${dirname('/bin/sh')}:/usr/bin`;
      const confined = ['--unshare-net', '--unshare-user', '--uid', '1000', '--die-with-parent'];
      const mounts = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--ro-bind', home, home];
      const folders = [...mounts, '--bind', data, data, '--chdir', data];
      const demo = ['dockline', 'demo', '--orders', '3', '--until-done', '--json'];
      const env = { PATH: path, HOME: '/nonexistent' };
      const { stdout } = await run('bwrap', [...confined, ...folders, ...demo], { env });
      const { orders, announcements } = JSON.parse(stdout);
      expect([orders, announcements.missing, announcements.duplicates]).toEqual([3, 0, 0]);
      expect(announcements.received).toBeGreaterThan(0);
      expect(await readdir(join(data, '.dockline/demo'))).toContain('dockline.db');
    },
  );
});
