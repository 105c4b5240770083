import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The absolute path of a program on the given PATH, or on that of this process. Rejects where there is none. */
export async function locate(program: string, path?: string): Promise<string> {
  const script = '[ $# -lt 2 ] || PATH=$2; command -v "$1"';
  const args = ['-c', script, 'sh', program, ...(path === undefined ? [] : [path])];
  const { stdout } = await run('sh', args).catch(() => ({ stdout: '' }));
  if (!isAbsolute(stdout.trim())) throw new Error(`there is no ${program}`);
  return stdout.trim();
}

/**
 * The file, if it is a Temporal CLI that answers. Rejects where it is not: another program may have the name, and another
 * machine's file may lie in a shared folder.
 */
export async function verifyCli(file: string): Promise<string> {
  await access(file, constants.X_OK).catch(() => {
    throw new Error(`nothing to run at ${file}`);
  });
  const { stdout } = await run(file, ['--version'], { timeout: 20_000 }).catch((error: Error) => {
    throw new Error(`${file} does not run: ${error.message.split('\n')[0]}`);
  });
  if (!stdout.startsWith('temporal version')) throw new Error(`${file} is another program`);
  return file;
}
