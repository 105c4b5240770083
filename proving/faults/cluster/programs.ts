import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { locate, run } from '../../../sandbox/temporal-server/programs.ts';

/** Version of the server, that of the server within the CLI of the tests. */
const VERSION = '1.29.1';

/** Programs of a Temporal cluster: the server, and the tool that makes its schema. */
export interface ClusterPrograms {
  readonly server: string;
  readonly sqlTool: string;
}

const packages = { server: 'cmd/server', sql: 'cmd/tools/sql' } as const;

/** Finds the programs in the cache, or builds them there with Go, which takes some minutes. Rejects where there is no Go. */
export async function findClusterPrograms(cacheFolder: string, say: (line: string) => void): Promise<ClusterPrograms> {
  const find = (name: keyof typeof packages) => findOrBuild(name, cacheFolder, say);
  return { server: await find('server'), sqlTool: await find('sql') };
}

async function findOrBuild(name: keyof typeof packages, cacheFolder: string, say: (line: string) => void) {
  const target = join(cacheFolder, `temporal-cluster-${name}-${VERSION}`);
  if (
    await access(target).then(
      () => true,
      () => false,
    )
  )
    return target;
  const go = await locate('go');
  await mkdir(cacheFolder, { recursive: true });
  const folder = await mkdtemp(join(cacheFolder, 'building-'));
  try {
    say(`Building Temporal's ${packages[name]} ${VERSION} with Go, once; this takes some minutes`);
    const env = { ...process.env, GOBIN: folder };
    await run(go, ['install', `go.temporal.io/server/${packages[name]}@v${VERSION}`], { env });
    await rename(join(folder, name), target);
    return target;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
