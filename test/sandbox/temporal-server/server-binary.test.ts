import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { CLI_VERSION, goInstall, install } from '../../../src/sandbox/temporal-server/cli-installation.ts';
import { defaultCacheFolder, findServerBinary } from '../../../src/sandbox/temporal-server/server-binary.ts';
import { createFolder } from '../../support/temporal-server.ts';

const silent = () => {};
let folder: Awaited<ReturnType<typeof createFolder>>;

beforeEach(async () => {
  folder = await createFolder();
  onTestFinished(folder.remove);
});

/** Writes a program of shell script into a folder for the PATH. */
async function writeProgram(name: string, script: string): Promise<string> {
  const file = join(folder.path, 'bin', name);
  await mkdir(join(folder.path, 'bin'), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

const cached = () => join(folder.path, `temporal-${CLI_VERSION}`);

describe('findServerBinary', () => {
  it('prefers the CLI on the PATH to the cached one', async () => {
    const file = await writeProgram('temporal', 'echo temporal version 9');
    await cp(file, cached());
    const found = await findServerBinary({ cacheFolder: folder.path, log: silent, path: join(folder.path, 'bin') });
    expect(found).toBe(file);
  });

  it('ignores another program of that name and uses the cached CLI', async () => {
    await writeProgram('temporal', 'echo a calendar');
    await symlink(inject('temporalBinary'), cached());
    const found = await findServerBinary({ cacheFolder: folder.path, log: silent, path: join(folder.path, 'bin') });
    expect(found).toBe(cached());
  });
});

describe('install', () => {
  const options = () => ({ target: cached(), cacheFolder: folder.path, log: silent });

  it('writes the CLI that Go builds, and nothing else', async () => {
    const go = await writeProgram('go', `test "$1" = install && cp '${inject('temporalBinary')}' "$GOBIN/temporal"`);
    expect(await install(goInstall(go), options())).toBe(cached());
    expect(execFileSync(cached(), ['--version'], { encoding: 'utf8' })).toContain('temporal version');
    expect((await readdir(folder.path)).sort()).toEqual(['bin', `temporal-${CLI_VERSION}`]);
  });

  it('removes the files of a failed installation', async () => {
    const go = await writeProgram('go', 'echo half > "$GOBIN/temporal"; echo no space left on device >&2; exit 1');
    await expect(install(goInstall(go), options())).rejects.toThrow('no space left on device');
    expect(await readdir(folder.path)).toEqual(['bin']);
  });

  it('does not cache a CLI that does not run', async () => {
    const go = await writeProgram('go', 'echo half > "$GOBIN/temporal"; chmod +x "$GOBIN/temporal"');
    await expect(install(goInstall(go), options())).rejects.toThrow('does not run');
    expect(await readdir(folder.path)).toEqual(['bin']);
  });

  it('supports two simultaneous installations', async () => {
    const go = await writeProgram('go', `cp '${inject('temporalBinary')}' "$GOBIN/temporal"`);
    const both = await Promise.all([install(goInstall(go), options()), install(goInstall(go), options())]);
    expect(both).toEqual([cached(), cached()]);
  });

  it('logs progress, and fails at its time limit', async () => {
    const lines: string[] = [];
    const method = { ...goInstall(await writeProgram('go', 'exec sleep 60')), timeLimitMs: 300 };
    const logged = { ...options(), log: (line: string) => void lines.push(line), progressMs: 50 };
    await expect(install(method, logged)).rejects.toThrow('given up after');
    expect(lines[0]).toContain('about four minutes');
    expect(lines[1]).toContain('still running');
  });
});

describe('defaultCacheFolder', () => {
  it('follows XDG_CACHE_HOME if it is absolute', () => {
    expect(defaultCacheFolder({ XDG_CACHE_HOME: '/var/cache' }, '/home/a')).toBe('/var/cache/dockline');
    expect(defaultCacheFolder({ XDG_CACHE_HOME: 'relative' }, '/home/a')).toBe('/home/a/.cache/dockline');
    expect(defaultCacheFolder({}, '/home/a')).toBe('/home/a/.cache/dockline');
  });
});
