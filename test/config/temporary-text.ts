import { writeFileSync } from 'node:fs';
import { temporaryFile } from '../store/temporary-store.ts';

/** Writes a text to a file that is deleted after the test. Returns its path. */
export function writeTemporary(text: string): string {
  const path = temporaryFile();
  writeFileSync(path, text);
  return path;
}
