import { isAbsolute, join } from 'node:path';
import { locate, verifyCli } from './cli.ts';
import { CLI_VERSION, goInstall, install, sdkDownload } from './cli-installation.ts';

/** Where to look for Temporal's CLI and where to put it. */
export interface ServerBinaryOptions {
  /** Where an obtained CLI is kept for the next time. */
  readonly cacheFolder: string;
  /** Takes what a person should know while they wait. */
  readonly log: (line: string) => void;
  /** The PATH to look through; that of this process where absent. */
  readonly path?: string;
}

/** The folder for what can be obtained again: `$XDG_CACHE_HOME/dockline`, or `~/.cache/dockline`. */
export function defaultCacheFolder(env: { readonly XDG_CACHE_HOME?: string }, homedir: string): string {
  const { XDG_CACHE_HOME: folder = '' } = env;
  return join(isAbsolute(folder) ? folder : join(homedir, '.cache'), 'dockline');
}

/**
 * The absolute path of a Temporal CLI that answers: from the PATH, from the cache, downloaded, or built with Go. Rejects, where
 * there is no way to get one, with a message that says what was tried and what the user can do.
 */
export async function findServerBinary({ cacheFolder, log, path }: ServerBinaryOptions): Promise<string> {
  const target = join(cacheFolder, `temporal-${CLI_VERSION}`);
  const options = { target, cacheFolder, log };
  const ways: readonly (readonly [name: string, find: () => Promise<string>])[] = [
    ['temporal on the PATH', async () => verifyCli(await locate('temporal', path))],
    ['the cache', () => verifyCli(target)],
    ['the download', () => install(sdkDownload, options)],
    ['go install', async () => install(goInstall(await locate('go', path)), options)],
  ];
  const failures: string[] = [];
  for (const [name, find] of ways) {
    try {
      return await find();
    } catch (error) {
      failures.push(`  ${name}: ${(error as Error).message}`);
    }
  }
  throw new Error(
    `There is no Temporal server to start, and no way to get one:\n${failures.join('\n')}\n` +
      "Install Temporal's CLI (https://docs.temporal.io/cli), or install Go (https://go.dev/dl), " +
      'or set TEMPORAL_ADDRESS to a server that runs already.',
  );
}
