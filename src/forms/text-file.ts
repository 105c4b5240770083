import { readFileSync } from 'node:fs';

/** UTF-8, or UTF-16 with the byte order mark that says so. The text has none. */
export function readTextFile(path: string): string {
  const bytes = readFileSync(path);
  const encoding = encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`is not ${encoding.toUpperCase()}`);
  }
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
