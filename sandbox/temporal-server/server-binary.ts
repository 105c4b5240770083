import { join } from 'node:path';
import {
  BUILT_VERSION,
  download,
  goBuild,
  install,
  RELEASED_VERSION,
  releasedArchive,
  verifyCli,
} from './cli-installation.ts';
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
  const target = (version: string) => join(cacheFolder, `temporal-${version}`);
  const options = (version: string) => ({ target: target(version), cacheFolder, log });
  const methods: readonly (readonly [name: string, find: () => Promise<string>])[] = [
    ['temporal on the PATH', async () => verifyCli(await locate('temporal', path))],
    ['an earlier download', () => verifyCli(target(RELEASED_VERSION))],
    ['an earlier build', () => verifyCli(target(BUILT_VERSION))],
    ['the download', async () => install(download(releasedArchive()), options(RELEASED_VERSION))],
    ['the build by Go', async () => install(goBuild(await locate('go', path)), options(BUILT_VERSION))],
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
