import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeFolder, readTextFile } from '../../src/forms/files.ts';
import { temporaryFile } from '../store/temporary-store.ts';

const reading = (bytes: Uint8Array) => {
  const file = temporaryFile();
  writeFileSync(file, bytes);
  return readTextFile(file);
};

it.each<[how: string, bytes: Uint8Array]>([
  ['UTF-8', Buffer.from('A=Müller')],
  ['UTF-8 with a byte order mark', Buffer.from('\ufeffA=Müller')],
])('a text is read as an editor wrote it: %s', (_, bytes) => {
  expect(reading(bytes)).toBe('A=Müller');
});

it('a text in another encoding is refused rather than changed', () => {
  expect(() => reading(Buffer.from('A=Müller', 'latin1'))).toThrow('is not UTF-8');
});

it('a folder is made with those above it, and where none can be made that is said instead of tried for ever', () => {
  const folder = temporaryFile();
  makeFolder(`${folder}/a/b`);
  makeFolder(`${folder}/a/b`);
  writeFileSync(`${folder}/a/b/file`, '');
  expect(() => makeFolder('/proc/none/deeper')).toThrow('/proc/none cannot be created (ENOENT)');
  expect(() => makeFolder(`${folder}/a/b/file/folder`)).toThrow('cannot be created (ENOTDIR)');
});
