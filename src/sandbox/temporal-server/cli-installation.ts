import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { verifyCli } from './cli.ts';
import { startWatchedProcess } from './watched-process.ts';

/** The version of Temporal's CLI that is obtained: the newest whose Go module has no replace directive. */
export const CLI_VERSION = '1.5.1';

/** One way of obtaining the CLI. */
export interface Installation {
  /** What is said when it starts. */
  readonly announcement: string;
  readonly timeLimitMs: number;
  /** The program that leaves the CLI in a folder, and its arguments. */
  command(folder: string): readonly [program: string, ...args: string[]];
  /** The name under which it leaves it there. */
  readonly leaves: string;
}

const downloadProgram = fileURLToPath(new URL('download-program.ts', import.meta.url));

/** The download that the SDK offers (the file's name is `temporal-` and the version as asked for). */
export const sdkDownload: Installation = {
  announcement: "Downloading Temporal's CLI, about 50 MB",
  timeLimitMs: 180_000,
  command: (folder) => [execPath, downloadProgram, folder, `v${CLI_VERSION}`],
  leaves: `temporal-v${CLI_VERSION}`,
};

/** Go's own installation, by the `go` at the given path. */
export function goInstall(go: string): Installation {
  const cli = `github.com/temporalio/cli/cmd/temporal@v${CLI_VERSION}`;
  return {
    announcement: "Building Temporal's CLI with Go: about four minutes, this once",
    timeLimitMs: 1_800_000,
    command: (folder) => ['sh', '-c', 'export GOBIN="$0" && exec "$1" install "$2"', folder, go, cli],
    leaves: 'temporal',
  };
}

/** What an installation needs besides the way. */
export interface InstallationTarget {
  /** The path that the CLI is to have; either missing or whole, whatever interrupts the installation. */
  readonly target: string;
  /** A folder on the same file system for what is not whole yet. */
  readonly cacheFolder: string;
  readonly log: (line: string) => void;
  /** How often it is said that it goes on, in milliseconds. Default 15,000. */
  readonly progressMs?: number;
}

/** Obtains the CLI in one way. Rejects with the reason where that fails. */
export async function install(way: Installation, options: InstallationTarget): Promise<string> {
  const { target, cacheFolder, log } = options;
  await mkdir(cacheFolder, { recursive: true });
  const folder = await mkdtemp(join(cacheFolder, 'installing-'));
  try {
    await runAloud(way, folder, options);
    await rename(await verifyCli(join(folder, way.leaves)), target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  log(`Temporal's CLI is at ${target}`);
  return target;
}

async function runAloud(way: Installation, folder: string, { log, progressMs = 15_000 }: InstallationTarget) {
  log(way.announcement);
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1_000);
  const [program, ...args] = way.command(folder);
  const process = startWatchedProcess(program, args);
  const progress = setInterval(() => log(`… still at it after ${seconds()} s`), progressMs);
  const limit = setTimeout(() => void process.stop(), way.timeLimitMs);
  const { code, stderr } = await process.exited;
  clearInterval(progress);
  clearTimeout(limit);
  if (code === 0) return;
  const reason = code === null ? `given up after ${seconds()} s` : reasonIn(stderr);
  log(`That did not work: ${reason}`);
  throw new Error(reason);
}

/** The line that says why, of a program's complaint: the one with the error, or else the last. */
function reasonIn(stderr: string): string {
  const lines = stderr.split('\n');
  return (lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? '').trim().slice(0, 150);
}
