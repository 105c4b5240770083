import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import pRetry from 'p-retry';
import { createFolder } from '../support/temporal-server.ts';

const run = promisify(execFile);

/** Folder with a package and what a test puts beside it. */
export interface Installation {
  readonly path: string;
  remove(): Promise<void>;
}

/** Package as a release packs it. */
interface Packed {
  readonly name: string;
  /** Path of the tarball. */
  readonly tarball: string;
  /** Names of the files in it. */
  readonly files: readonly string[];
}

/** Packs the package of a folder with `npm pack`, from a copy of its sources: once for all processes of a test run, which share a temporary folder. */
export async function packPackage(source: string): Promise<Packed> {
  const into = join(tmpdir(), `dockline-packed-${source.replaceAll('/', '-')}`);
  const result = join(into, 'packed.json');
  const isFirst = await mkdir(into).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const packed = await pack(source, into).catch((error: Error) => ({ error: error.message }));
    await writeFile(`${result}.part`, JSON.stringify(packed));
    await rename(`${result}.part`, result);
  }
  const read = () => readFile(result, 'utf8');
  const { error, ...packed } = JSON.parse(await pRetry(read, { retries: 3_000, minTimeout: 100, maxTimeout: 200 }));
  if (error !== undefined) throw new Error(error);
  return packed;
}

async function pack(source: string, into: string): Promise<Packed> {
  const sources = await createFolder();
  try {
    await cp('consumer', join(sources.path, 'consumer'), {
      recursive: true,
      filter: (path) => !path.endsWith('/dist'),
    });
    for (const file of ['tsconfig.json', 'LICENSE']) await cp(file, join(sources.path, file));
    await symlink(resolve('node_modules'), join(sources.path, 'node_modules'));
    const args = ['pack', '--json', '--pack-destination', into];
    const { stdout } = await run('npm', args, { cwd: join(sources.path, source) });
    const [{ name, filename, files }] = JSON.parse(stdout);
    return { name, tarball: join(into, filename), files: files.map(({ path }: { readonly path: string }) => path) };
  } finally {
    await sources.remove();
  }
}

/** Packs a package and installs it into an empty folder beside others that are installed here. */
export async function installPackage(source: string, beside: readonly string[]): Promise<Installation> {
  const folder = await createFolder();
  const { name, tarball } = await packPackage(source);
  const installed = join(folder.path, 'node_modules', name);
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
  for (const other of beside) {
    const link = join(folder.path, 'node_modules', other);
    await mkdir(dirname(link), { recursive: true });
    await symlink(resolve('node_modules', other), link);
  }
  return folder;
}
