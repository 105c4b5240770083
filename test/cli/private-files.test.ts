import { once } from 'node:events';
import { chmod, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makePrivate } from '../../src/cli/start.ts';
import { createFolder } from '../support/temporal-server.ts';

async function setUp() {
  const folder = await createFolder();
  const before = process.umask(0o022);
  onTestFinished(async () => {
    process.umask(before);
    await folder.remove();
  });
  const modeOf = async (...path: string[]) => ((await stat(join(folder.path, ...path))).mode & 0o777).toString(8);
  return { path: folder.path, modeOf };
}

it('the data folder and files in it that others could read become private', async () => {
  const { path, modeOf } = await setUp();
  await mkdir(join(path, 'data', 'temporal'), { recursive: true });
  for (const file of ['dockline.db', 'temporal/state.db']) await writeFile(join(path, 'data', file), 'names');
  await writeFile(join(path, 'data', 'temporal', 'program'), '');
  await chmod(join(path, 'data', 'temporal', 'program'), 0o755);
  expect([await modeOf('data'), await modeOf('data', 'dockline.db')]).toEqual(['755', '644']);
  await makePrivate(join(path, 'data'));
  expect([await modeOf('data'), await modeOf('data', 'temporal')]).toEqual(['700', '700']);
  expect([await modeOf('data', 'dockline.db'), await modeOf('data', 'temporal/state.db')]).toEqual(['600', '600']);
  expect(await modeOf('data', 'temporal', 'program')).toBe('700');
});

it('files that are written afterwards are private', async () => {
  const { path, modeOf } = await setUp();
  await makePrivate(join(path, 'data'));
  await mkdir(join(path, 'data', 'later'), { recursive: true });
  await writeFile(join(path, 'data', 'dockline.db'), 'names');
  expect([await modeOf('data'), await modeOf('data', 'later')]).toEqual(['700', '700']);
  expect(await modeOf('data', 'dockline.db')).toBe('600');
});

it('files that are not of Dockline, and those to which it links, keep their mode', async () => {
  const { path, modeOf } = await setUp();
  await mkdir(join(path, 'data'));
  await writeFile(join(path, 'shared'), '');
  await symlink(join(path, 'shared'), join(path, 'data', 'dockline.db'));
  await writeFile(join(path, 'data', 'notes'), '');
  await makePrivate(join(path, 'data'));
  expect([await modeOf('shared'), await modeOf('data', 'notes')]).toEqual(['644', '644']);
});

it('a device that is named as the data folder by mistake keeps its mode, since all programs share it', async () => {
  const { path } = await setUp();
  // Sockets are what a test can make; devices are no files either.
  const server = createServer().listen(join(path, 'device'));
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const before = (await stat(join(path, 'device'))).mode;
  await makePrivate(join(path, 'device'));
  expect((await stat(join(path, 'device'))).mode).toBe(before);
});
