import { execFile } from 'node:child_process';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createFolder } from '../support/temporal-server.ts';

const run = promisify(execFile);

/** Folder with a package and what a test puts beside it. */
export interface Installation {
  readonly path: string;
  remove(): Promise<void>;
}

/** Packs the package of a folder with `npm pack`, from a copy of its sources, and installs it into an empty folder beside others that are installed here. */
export async function installPackage(source: string, beside: readonly string[]): Promise<Installation> {
  const [sources, folder] = [await createFolder(), await createFolder()];
  try {
    await cp('consumer', join(sources.path, 'consumer'), {
      recursive: true,
      filter: (path) => !path.endsWith('/dist'),
    });
    for (const file of ['tsconfig.json', 'LICENSE']) await cp(file, join(sources.path, file));
    await symlink(resolve('node_modules'), join(sources.path, 'node_modules'));
    const pack = ['pack', '--json', '--pack-destination', sources.path];
    const { stdout } = await run('npm', pack, { cwd: join(sources.path, source) });
    const [{ name, filename }] = JSON.parse(stdout);
    const installed = join(folder.path, 'node_modules', name);
    await mkdir(installed, { recursive: true });
    await run('tar', ['-xzf', join(sources.path, filename), '--strip-components=1', '-C', installed]);
  } finally {
    await sources.remove();
  }
  for (const name of beside) {
    const link = join(folder.path, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(resolve('node_modules', name), link);
  }
  return folder;
}
