import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { locate } from '../../../sandbox/temporal-server/programs.ts';

const run = promisify(execFile);

/** Reason why this machine cannot inject a failure. */
export class InjectionUnavailableError extends Error {
  override readonly name = 'InjectionUnavailableError';
}

/** Options that start a process so that something in it can be made to fail. */
export interface Injection {
  /** Arguments for Node. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** File whose presence makes an injection fail. */
const switchOf = (folder: string): string => join(folder, 'fault');

/** Makes an injection fail from now on. */
export const switchOn = (folder: string): Promise<void> => writeFile(switchOf(folder), '');

/** Lets an injection work again. */
export const switchOff = (folder: string): Promise<void> => rm(switchOf(folder), { force: true });

/** Injects a handler of SIGXFSZ: a write beyond the limit then fails with EFBIG and does not end the process. */
export async function injectFileSizeLimit(): Promise<Injection> {
  await requireProgram('prlimit');
  return { args: ['--import', "data:text/javascript,process.on('SIGXFSZ',()=>{})"], env: {} };
}

/** Limits the size of files that a process may write, in bytes; without a number, lifts the limit. */
export async function limitFileSize(pid: number, bytes?: number): Promise<void> {
  await run('prlimit', ['--pid', String(pid), `--fsize=${bytes ?? 'unlimited'}:unlimited`]);
}

/** Injects an `fsync` that can fail, by a preloaded library. */
export async function injectFsync(folder: string): Promise<Injection> {
  const library = join(folder, 'failing-fsync.so');
  const source = fileURLToPath(new URL('failing-fsync.c', import.meta.url));
  const compiler = await requireProgram('cc');
  await run(compiler, ['-shared', '-fPIC', '-o', library, source, '-ldl']).catch((error: Error) => {
    throw new InjectionUnavailableError(`the library that makes fsync fail cannot be built: ${error.message}`);
  });
  return { args: [], env: { LD_PRELOAD: library, FAILING_FSYNC: switchOf(folder) } };
}

function requireProgram(name: string): Promise<string> {
  return locate(name).catch(() => {
    throw new InjectionUnavailableError(`there is no ${name} on this machine`);
  });
}
