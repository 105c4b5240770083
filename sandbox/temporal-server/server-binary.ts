import { join } from 'node:path';
import { CLI_VERSION, download, goBuild, install, releasedArchive, verifyCli } from './cli-installation.ts';
import { locate } from './programs.ts';

interface ServerBinaryOptions {
  /** Folder that keeps an installed CLI. */
  readonly cacheFolder: string;
  /** Logs progress for the user who waits. */
  readonly log: (line: string) => void;
  /** PATH to search. Default: that of this process. */
  readonly path?: string;
}

/** Returns the absolute path of a Temporal CLI that runs. If there is none, rejects with a message that lists the attempts and the user's options. */
export async function findServerBinary({ cacheFolder, log, path }: ServerBinaryOptions): Promise<string> {
  const target = join(cacheFolder, `temporal-${CLI_VERSION}`);
  const options = { target, cacheFolder, log };
  const methods: readonly (readonly [name: string, find: () => Promise<string>])[] = [
    ['temporal on the PATH', async () => verifyCli(await locate('temporal', path))],
    ['the cache', () => verifyCli(target)],
    ['the download', async () => install(download(releasedArchive()), options)],
    ['the build by Go', async () => install(goBuild(await locate('go', path)), options)],
  ];
  const failures: string[] = [];
  for (const [name, find] of methods) {
    try {
      return await find();
    } catch (error) {
      failures.push(`  ${name}: ${(error as Error).message}`);
    }
  }
  throw new Error(
    `No Temporal server to start, and none can be installed:\n${failures.join('\n')}\n` +
      "Install Temporal's CLI (https://docs.temporal.io/cli), or install Go (https://go.dev/dl), " +
      'or set TEMPORAL_ADDRESS to a running server.',
  );
}
