import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { loadEnvFile, UsageError } from '../../src/cli/command.ts';
import { openFolder } from '../support/temporal-server.ts';

/** Loads the file of variables that `--config` names. */
const load = (file: string): void =>
  loadEnvFile(new Command().option('--config <file>').parse(['--config', file], { from: 'user' }));

it('a file of variables that is missing is an error of the command line', () => {
  expect(() => load('/nowhere')).toThrow(new UsageError('--config /nowhere: there is no such file'));
});

it.each<[what: string, write: (path: string) => Promise<unknown>, words: string]>([
  ['a folder', (path) => mkdir(path), 'EISDIR'],
  ['a link to nothing', (path) => symlink('nothing', path), 'ENOENT'],
  ['other bytes', (path) => writeFile(path, Buffer.from('A=Müller', 'latin1')), 'is not UTF-8'],
])('a file of variables says why it cannot be read: %s', async (_, write, words) => {
  const folder = await openFolder();
  const file = join(folder, 'settings');
  await write(file);
  expect(() => load(file)).toThrow(`${file} cannot be read as a file of variables: ${words}`);
});
