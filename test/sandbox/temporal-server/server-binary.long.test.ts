import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import {
  BUILT_VERSION,
  download,
  goBuild,
  install,
  RELEASED_VERSION,
  releasedArchive,
} from '../../../sandbox/temporal-server/cli-installation.ts';
import { findServerBinary } from '../../../sandbox/temporal-server/server-binary.ts';
import { listen } from '../../support/listen.ts';
import { openFolder } from '../../support/temporal-server.ts';

const silent = () => {};
let folder: string;

beforeEach(async () => {
  folder = await openFolder();
});

/** Writes a program of shell script into a folder for the PATH. */
async function writeProgram(name: string, script: string): Promise<string> {
  const file = join(folder, 'bin', name);
  await mkdir(join(folder, 'bin'), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

const cached = (version = BUILT_VERSION) => join(folder, `temporal-${version}`);

describe('findServerBinary', () => {
  it('prefers the CLI on the PATH to the cached one', async () => {
    const file = await writeProgram('temporal', 'echo temporal version 9');
    await cp(file, cached());
    const found = await findServerBinary({ cacheFolder: folder, log: silent, path: join(folder, 'bin') });
    expect(found).toBe(file);
  });

  it('ignores another program of that name and uses the cached CLI', async () => {
    await writeProgram('temporal', 'echo a calendar');
    await symlink(inject('temporalBinary'), cached());
    const found = await findServerBinary({ cacheFolder: folder, log: silent, path: join(folder, 'bin') });
    expect(found).toBe(cached());
  });

  it('prefers the CLI that was downloaded to the older one that was built', async () => {
    const file = await writeProgram('calendar', 'echo temporal version 9');
    await cp(file, cached(RELEASED_VERSION));
    await symlink(inject('temporalBinary'), cached());
    const found = await findServerBinary({ cacheFolder: folder, log: silent, path: join(folder, 'bin') });
    expect(found).toBe(cached(RELEASED_VERSION));
  });
});

describe('install', () => {
  const options = () => ({ target: cached(), cacheFolder: folder, log: silent });

  it('writes the CLI that Go builds, and nothing else', async () => {
    const go = await writeProgram('go', `test "$1" = build && cp '${inject('temporalBinary')}' temporal`);
    expect(await install(goBuild(go), options())).toBe(cached());
    expect(execFileSync(cached(), ['--version'], { encoding: 'utf8' })).toContain('temporal version');
    expect((await readdir(folder)).sort()).toEqual(['bin', `temporal-${BUILT_VERSION}`]);
  });

  it('removes the files of a failed installation', async () => {
    const go = await writeProgram('go', 'echo half > temporal; echo no space left on device >&2; exit 1');
    await expect(install(goBuild(go), options())).rejects.toThrow('no space left on device');
    expect(await readdir(folder)).toEqual(['bin']);
  });

  it('does not cache a CLI that does not run', async () => {
    const go = await writeProgram('go', 'echo half > temporal; chmod +x temporal');
    await expect(install(goBuild(go), options())).rejects.toThrow('does not run');
    expect(await readdir(folder)).toEqual(['bin']);
  });

  it('logs progress, and fails at its time limit', async () => {
    const lines: string[] = [];
    const method = { ...goBuild(await writeProgram('go', 'exec sleep 60')), timeLimitMs: 300 };
    const logged = { ...options(), log: (line: string) => void lines.push(line), progressMs: 50 };
    await expect(install(method, logged)).rejects.toThrow('given up after');
    expect(lines[0]).toContain('about four minutes');
    expect(lines[1]).toContain('still running');
  });

  it('logs how many packages Go has compiled, and no package as the reason of a failure', async () => {
    const seen = join(folder, 'seen');
    const script = `echo github.com/pkg/errors >&2; echo internal/abi >&2
      until [ -e '${seen}' ]; do sleep 0.05; done; echo no space left on device >&2; exit 1`;
    const lines: string[] = [];
    const log = (line: string) => {
      lines.push(line);
      if (line.includes(' 2 of ')) writeFileSync(seen, '');
    };
    const logged = { ...options(), log, progressMs: 50 };
    const go = await writeProgram('go', script);
    await expect(install(goBuild(go), logged)).rejects.toThrow('no space left on device');
    expect(lines).toContainEqual(expect.stringMatching(/^… 2 of 1299 packages compiled after \d+ s$/));
  });
});

describe('the download', () => {
  const options = () => ({ target: cached(), cacheFolder: folder, log: silent });

  /** Serves an archive with the CLI, behind a redirect as releases are, and one that is missing. */
  async function serve() {
    await writeProgram('temporal', 'echo temporal version 9');
    const file = join(folder, 'archive.tar.gz');
    execFileSync('tar', ['-czf', file, '-C', join(folder, 'bin'), 'temporal']);
    const archive = await readFile(file);
    const server = createServer(({ url }, response) => {
      if (url === '/archive') response.writeHead(302, { location: '/stored' }).end();
      else if (url === '/stored') response.end(archive);
      else response.writeHead(404).end();
    });
    const port = await listen(server);
    const sha256 = hash('sha256', archive);
    return { url: (path: string) => `http://127.0.0.1:${port}${path}`, sha256 };
  }

  it('unpacks an archive with the expected checksum', async () => {
    const { url, sha256 } = await serve();
    expect(await install(download({ url: url('/archive'), sha256 }), options())).toBe(cached());
    expect(execFileSync(cached(), ['--version'], { encoding: 'utf8' })).toBe('temporal version 9\n');
  });

  it('refuses any other archive and keeps nothing of it', async () => {
    const { url, sha256 } = await serve();
    const before = await readdir(folder);
    const other = { url: url('/archive'), sha256: '0'.repeat(64) };
    await expect(install(download(other), options())).rejects.toThrow(/SHA-256/);
    await expect(install(download({ url: url('/none'), sha256 }), options())).rejects.toThrow('answered 404');
    await expect(install(download({ url: 'http://127.0.0.1:9/', sha256 }), options())).rejects.toThrow('fetch failed');
    expect(await readdir(folder)).toEqual(before);
  });

  it('is pinned to one archive of the release for this machine', () => {
    const { url, sha256 } = releasedArchive();
    expect(url).toMatch(/^https:.+\/v([\d.]+)\/temporal_cli_\1_(linux|darwin)_(amd64|arm64)\.tar\.gz$/);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  });
});
