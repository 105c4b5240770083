import { globSync } from 'node:fs';
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DefaultLogger } from '@temporalio/worker';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleWorkflows, findPreloaded } from '../../src/temporal/workflow-bundle.ts';
import { createFolder, openFolder } from '../support/temporal-server.ts';

const bundleIn = async (folder: string) => (await bundleWorkflows(folder, new DefaultLogger('ERROR'))).code;

describe('a bundle of the workflows', () => {
  let made: string;
  let kept: string;
  let left: readonly string[];
  let bytes: Buffer;
  beforeAll(async () => {
    const { path, remove } = await createFolder();
    for (const name of ['workflows-0123.js.gz', 'temporal-1.5.1']) await writeFile(join(path, name), '');
    made = await bundleIn(path);
    left = await readdir(path);
    kept = left.find((name) => name.startsWith('workflows-')) ?? '';
    bytes = await readFile(join(path, kept));
    await remove();
  });

  async function openBundle(content: Buffer) {
    const path = await openFolder();
    await writeFile(join(path, kept), content);
    return path;
  }

  it('has the workflows', () => {
    expect(made).toContain('watches');
    expect(kept).toMatch(/^workflows-[0-9a-f]{32}\.js\.gz$/);
  });

  it('is kept for later starts', async () => {
    expect(await bundleIn(await openBundle(gzipSync('kept')))).toBe('kept');
  });

  it('that was not written whole is made again', async () => {
    const folder = await openBundle(bytes);
    await truncate(join(folder, kept), 1000);
    expect(await bundleIn(folder)).toBe(made);
    expect(await readFile(join(folder, kept))).toEqual(bytes);
  });

  it('replaces one of other sources, and nothing else in the folder', () => {
    expect(left.toSorted()).toEqual(['temporal-1.5.1', kept]);
  });

  it('is made where nothing can be kept', async () => {
    const folder = await openBundle(bytes);
    expect(await bundleIn(join(folder, kept, 'no-folder'))).toBe(made);
  });
});

describe('modules that all workflows of a thread share', () => {
  const preloaded = findPreloaded();

  it('are of the domain, but for the one that turns stacks off', () => {
    expect(preloaded.filter((path) => !path.includes('/src/domain/')).map((path) => basename(path))).toEqual([
      'no-stacks.ts',
    ]);
    expect(preloaded.length).toBeGreaterThan(3);
  });

  it.each(globSync('src/domain/**/*.ts'))('hold no state that one workflow could see of another: %s', async (path) => {
    expect(await readFile(path, 'utf8')).not.toMatch(/^(?:export )?(?:let|var) |\/\w*g\w*\.(?:test|exec)\(/m);
  });
});
