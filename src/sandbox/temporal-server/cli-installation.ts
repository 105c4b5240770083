import { execFile } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startWatchedProcess } from './watched-process.ts';

/** Version of Temporal's CLI that is installed: the newest whose Go module has no replace directive. */
export const CLI_VERSION = '1.5.1';

const run = promisify(execFile);

/** Returns the absolute path of a program on the given PATH, by default on that of this process. Rejects if there is none. */
export async function locate(program: string, path?: string): Promise<string> {
  const script = '[ $# -lt 2 ] || PATH=$2; command -v "$1"';
  const args = ['-c', script, 'sh', program, ...(path === undefined ? [] : [path])];
  const { stdout } = await run('sh', args).catch(() => ({ stdout: '' }));
  if (!isAbsolute(stdout.trim())) throw new Error(`there is no ${program}`);
  return stdout.trim();
}

/**
 * Returns the file if it is a Temporal CLI that runs. Rejects otherwise: another program may have the name, and a shared
 * folder may hold another machine's file.
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

/** Method of installing the CLI. */
export interface Installation {
  /** Log line at its start. */
  readonly announcement: string;
  readonly timeLimitMs: number;
  /** Returns the program that writes the CLI to a folder, and its arguments. */
  command(folder: string): readonly [program: string, ...args: string[]];
  /** Name of the file that it writes. */
  readonly leaves: string;
}

const downloadProgram = fileURLToPath(new URL('download-program.ts', import.meta.url));

/** Download by the SDK, which names the file `temporal-` and the requested version. */
export const sdkDownload: Installation = {
  announcement: "Downloading Temporal's CLI, about 50 MB",
  timeLimitMs: 180_000,
  command: (folder) => [execPath, downloadProgram, folder, `v${CLI_VERSION}`],
  leaves: `temporal-v${CLI_VERSION}`,
};

/** Installation by the `go` at the given path. */
export function goInstall(go: string): Installation {
  const cli = `github.com/temporalio/cli/cmd/temporal@v${CLI_VERSION}`;
  return {
    announcement: "Building Temporal's CLI with Go, once; this takes about four minutes",
    timeLimitMs: 1_800_000,
    command: (folder) => ['sh', '-c', 'export GOBIN="$0" && exec "$1" install "$2"', folder, go, cli],
    leaves: 'temporal',
  };
}

/** Options of an installation. */
export interface InstallationTarget {
  /** Path of the installed CLI. An interrupted installation never leaves a partial file there. */
  readonly target: string;
  /** Folder for partial files, on the same file system. */
  readonly cacheFolder: string;
  readonly log: (line: string) => void;
  /** Interval of progress messages, in milliseconds. Default: 15,000. */
  readonly progressMs?: number;
}

/** Installs the CLI by one method and returns its path. Rejects with the reason if the method fails. */
export async function install(method: Installation, options: InstallationTarget): Promise<string> {
  const { target, cacheFolder, log } = options;
  await mkdir(cacheFolder, { recursive: true });
  const folder = await mkdtemp(join(cacheFolder, 'installing-'));
  try {
    await runLogged(method, folder, options);
    await rename(await verifyCli(join(folder, method.leaves)), target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  log(`Temporal's CLI is at ${target}`);
  return target;
}

async function runLogged(method: Installation, folder: string, { log, progressMs = 15_000 }: InstallationTarget) {
  log(method.announcement);
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1_000);
  const [program, ...args] = method.command(folder);
  const process = startWatchedProcess(program, args);
  const progress = setInterval(() => log(`… still running after ${seconds()} s`), progressMs);
  const limit = setTimeout(() => void process.stop(), method.timeLimitMs);
  const { code, stderr } = await process.exited;
  clearInterval(progress);
  clearTimeout(limit);
  if (code === 0) return;
  const reason = code === null ? `given up after ${seconds()} s` : reasonIn(stderr);
  log(`The installation failed: ${reason}`);
  throw new Error(reason);
}

/** Returns the line of stderr that contains the error, or else the last. */
function reasonIn(stderr: string): string {
  const lines = stderr.split('\n');
  return (lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? '').trim().slice(0, 150);
}
