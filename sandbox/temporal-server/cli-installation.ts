import { hash } from 'node:crypto';
import { access, constants, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { arch, platform } from 'node:process';
import { reasonOf } from '../../src/domain/errors.ts';
import { makeFolder } from '../../src/forms/files.ts';
import { locate, run, startWatchedProcess } from './programs.ts';

/** Version of Temporal's CLI that is downloaded. */
export const RELEASED_VERSION = '1.9.1';

/** Version that Go builds: the newest whose module has no replace directive. */
export const BUILT_VERSION = '1.5.1';

/**
 * Module that builds it, with a newer driver of SQLite than its own. With that one (1.34.1) a call that is canceled at the wrong moment
 * leaves the server answering nothing but `interrupted (9)`.
 */
const GO_MOD = `module dockline/temporal

go 1.25.0

require (
\tgithub.com/temporalio/cli v${BUILT_VERSION}
\tmodernc.org/sqlite v1.44.3
)
`;

/** SHA-256 of the release's archives, by operating system and architecture as Node and the release name them. */
const checksums: Readonly<Record<string, { readonly name: string; readonly sha256: string }>> = {
  'linux-x64': { name: 'linux_amd64', sha256: '09a0326a51db84d02735e53542b9ebd8c4758daf47482a9ab0abce15844e60d5' },
  'linux-arm64': { name: 'linux_arm64', sha256: '6c57c352d52fc3df34412376fd9ba6f74b7e3ace8e426e6cba8600156d36a145' },
  'darwin-x64': { name: 'darwin_amd64', sha256: '48cdd6c84c56e27ae8e4d9a47052b89289a9c552dee029b49dd312c6fb72873f' },
  'darwin-arm64': { name: 'darwin_arm64', sha256: '41e0425378fcb4fb5766340b97435e20fe47bbff2d7bf644ec2d51f7662b7c56' },
};

/** Returns the file if it is a Temporal CLI that runs. Rejects if it is another program, or another machine's file in a shared folder. */
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
interface Installation {
  /** Log line at its start. */
  readonly announcement: string;
  readonly timeLimitMs: number;
  /** Writes the CLI to the file `temporal` in a folder, and says how far it is. Rejects with the reason if it cannot. */
  write(folder: string, options: { readonly signal: AbortSignal; readonly say: (done: string) => void }): Promise<void>;
}

/** Archive of the CLI with its checksum. */
interface Archive {
  readonly url: string;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

/** Returns the release's archive for this machine. Throws if there is none. */
export function releasedArchive(): Archive {
  const { name, sha256 } = checksums[`${platform}-${arch}`] ?? {};
  if (!name || !sha256) throw new Error(`no archive for ${platform} on ${arch}`);
  const release = `https://github.com/temporalio/cli/releases/download/v${RELEASED_VERSION}`;
  return { url: `${release}/temporal_cli_${RELEASED_VERSION}_${name}.tar.gz`, sha256 };
}

/** Download of an archive, which is refused if its checksum differs. Proxies of the environment are used. */
export const download = ({ url, sha256 }: Archive): Installation => ({
  announcement: "Downloading Temporal's CLI, about 50 MB",
  timeLimitMs: 180_000,
  async write(folder, { signal }) {
    const archive = await fetchBytes(url, signal);
    const actual = hash('sha256', archive);
    if (actual !== sha256) throw new Error(`${url} has the SHA-256 ${actual} instead of ${sha256}`);
    const file = join(folder, 'archive.tar.gz');
    await writeFile(file, archive);
    await run(await locate('tar'), ['-xzf', file, '-C', folder, 'temporal'], { signal });
  },
});

async function fetchBytes(url: string, signal: AbortSignal): Promise<Buffer> {
  // Imported on demand: almost always there is a CLI.
  const { EnvHttpProxyAgent, fetch } = await import('undici');
  const answer = await fetch(url, { dispatcher: new EnvHttpProxyAgent(), signal }).catch((error: Error) => {
    throw new Error(`${error.message}: ${reasonOf(error.cause)}`, { cause: error });
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
}

/** Packages of the CLI and of what it imports (`go list -deps`). Some may have been compiled before. */
const PACKAGES = 1299;

/** Build by the `go` at the given path. */
export const goBuild = (go: string): Installation => ({
  announcement: "Building Temporal's CLI with Go, once; this takes about four minutes",
  timeLimitMs: 1_800_000,
  async write(folder, { signal, say }) {
    await writeFile(join(folder, 'go.mod'), GO_MOD);
    const script =
      'cd "$0" && GOWORK=off exec "$1" build -mod=mod -v -o temporal github.com/temporalio/cli/cmd/temporal';
    let compiled = 0;
    const process = startWatchedProcess('sh', ['-c', script, folder, go], (line) => {
      if (!isPackage(line)) return;
      compiled += 1;
      say(`${compiled} of ${PACKAGES} packages compiled`);
    });
    signal.addEventListener('abort', () => void process.stop());
    const { code, stderr } = await process.exited;
    if (code !== 0) throw new Error(reasonIn(stderr));
  },
});

/** Reports whether Go names a package that it compiles; what it says otherwise has spaces. */
const isPackage = (line: string): boolean => /^\S+$/.test(line);

interface InstallationTarget {
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
  makeFolder(cacheFolder);
  const folder = await mkdtemp(join(cacheFolder, 'installing-'));
  try {
    await runLogged(method, folder, options);
    await rename(await verifyCli(join(folder, 'temporal')), target);
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
  let done = 'still running';
  const say = (what: string) => {
    done = what;
  };
  const progress = setInterval(() => log(`… ${done} after ${seconds()} s`), progressMs);
  const limit = AbortSignal.timeout(method.timeLimitMs);
  try {
    await method.write(folder, { signal: limit, say });
  } catch (error) {
    const reason = limit.aborted ? `given up after ${seconds()} s` : (error as Error).message;
    log(`The installation failed: ${reason}`);
    throw new Error(reason, { cause: error });
  } finally {
    clearInterval(progress);
  }
}

/** Returns the line of stderr that contains the error, or else the last. */
function reasonIn(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => !isPackage(line));
  return (lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? '').trim().slice(0, 150);
}
