import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { locate } from '../../src/sandbox/temporal-server/cli-installation.ts';
import { FaultUnavailableError } from './fault-error.ts';

const run = promisify(execFile);

/** How a process is started so that something in it can be made to fail. */
export interface Tampering {
  /** For Node. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The file whose presence makes what was tampered with fail. */
const switchOf = (folder: string): string => join(folder, 'fault');

/** Makes what was tampered with fail from now on. */
export const switchOn = (folder: string): Promise<void> => writeFile(switchOf(folder), '');

/** Lets it work again. */
export const switchOff = (folder: string): Promise<void> => rm(switchOf(folder), { force: true });

/** Look-ups of names can be made to fail, as they do where no name server answers. */
export async function tamperWithLookups(folder: string): Promise<Tampering> {
  const module = new URL('failing-lookup.ts', import.meta.url);
  module.searchParams.set('switch', switchOf(folder));
  return { args: ['--import', module.href], env: {} };
}

/** A limit to the size of files makes writes fail instead of ending the process. */
export async function tamperWithFileSizes(): Promise<Tampering> {
  await needed('prlimit');
  return { args: ['--import', new URL('file-size-limit.ts', import.meta.url).href], env: {} };
}

/** `fsync` can be made to fail, by a library that stands before the system's. */
export async function tamperWithFsync(folder: string): Promise<Tampering> {
  const library = join(folder, 'failing-fsync.so');
  const source = fileURLToPath(new URL('failing-fsync.c', import.meta.url));
  const compiler = await needed('cc');
  await run(compiler, ['-shared', '-fPIC', '-o', library, source, '-ldl']).catch((error: Error) => {
    throw new FaultUnavailableError(`the library that lets fsync fail cannot be built: ${error.message}`);
  });
  return { args: [], env: { LD_PRELOAD: library, FAILING_FSYNC: switchOf(folder) } };
}

/** Lets a process write no file beyond so many bytes; without a number as far as it likes. */
export async function limitFileSize(pid: number, bytes?: number): Promise<void> {
  await run('prlimit', ['--pid', String(pid), `--fsize=${bytes ?? 'unlimited'}:unlimited`]);
}

function needed(program: string): Promise<string> {
  return locate(program).catch(() => {
    throw new FaultUnavailableError(`there is no ${program} on this machine`);
  });
}
