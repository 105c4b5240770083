import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { packPackage } from './installed-package.ts';

const run = promisify(execFile);

describe.each([
  ['consumer', /^(?:LICENSE|README\.md|package\.json|dist\/[\w-]+\.(?:js|d\.ts)|vectors\/[\w-]+\.json)$/],
  ['consumer/workflow', /^(?:LICENSE|README\.md|package\.json|dist\/(?:[\w-]+\/)*[\w-]+\.(?:js|d\.ts))$/],
])('the package in %s, packed', (path, expected) => {
  it('can be published: its files, its manifest and its types fit together', async () => {
    const { tarball, files } = await packPackage(path);
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md']));
    expect(files.filter((name) => !expected.test(name))).toEqual([]);
    const lint = await run('publint', ['run', tarball, '--strict']);
    expect(lint.stdout).toContain('All good');
    // It ends with an error where a problem is left.
    const types = await run('attw', [tarball, '--profile', 'esm-only', '--format', 'ascii']);
    expect(types.stdout).toContain('node16 (from ESM): 🟢 (ESM)');
  });
});
