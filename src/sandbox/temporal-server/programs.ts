import { execFile } from 'node:child_process';
import { isAbsolute } from 'node:path';
import { promisify } from 'node:util';

/** Runs a program to its end. Rejects if it fails. */
export const run = promisify(execFile);

/** Returns the absolute path of a program on the given PATH, by default on that of this process. Rejects if there is none. */
export async function locate(program: string, path?: string): Promise<string> {
  const script = '[ $# -lt 2 ] || PATH=$2; command -v "$1"';
  const args = ['-c', script, 'sh', program, ...(path === undefined ? [] : [path])];
  const { stdout } = await run('sh', args).catch(() => ({ stdout: '' }));
  if (!isAbsolute(stdout.trim())) throw new Error(`there is no ${program}`);
  return stdout.trim();
}
