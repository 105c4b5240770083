import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolder } from '../support/temporal-server.ts';

const run = promisify(execFile);

let folder: Awaited<ReturnType<typeof createFolder>>;

beforeAll(async () => {
  folder = await createFolder();
});

afterAll(() => folder.remove());

/** Packs a package as a release does. Returns the path of its tarball, and the names of the files in it. */
async function pack(path: string) {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder.path], { cwd: path });
  const [{ filename, files }] = JSON.parse(stdout);
  return { tarball: join(folder.path, filename), names: files.map((file: { path: string }) => file.path) as string[] };
}

describe.each([
  ['consumer', /^(?:LICENSE|README\.md|package\.json|dist\/[\w-]+\.(?:js|d\.ts)|vectors\/[\w-]+\.json)$/],
  ['consumer/workflow', /^(?:LICENSE|README\.md|package\.json|dist\/(?:[\w-]+\/)*[\w-]+\.(?:js|d\.ts))$/],
])('the package in %s, packed', (path, expected) => {
  it('can be published: its files, its manifest and its types fit together', async () => {
    const { tarball, names } = await pack(path);
    expect(names).toEqual(expect.arrayContaining(['LICENSE', 'README.md']));
    expect(names.filter((name) => !expected.test(name))).toEqual([]);
    const lint = await run('publint', ['run', tarball, '--strict']);
    expect(lint.stdout).toContain('All good');
    // It ends with an error where a problem is left.
    const types = await run('attw', [tarball, '--profile', 'esm-only', '--format', 'ascii']);
    expect(types.stdout).toContain('node16 (from ESM): 🟢 (ESM)');
  });
});
