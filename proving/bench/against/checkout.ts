import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const ROOT = resolve(import.meta.dirname, '../../..');

/** Another commit of this repository, ready to run. */
export interface Checkout {
  /** Its short name. */
  readonly commit: string;
  readonly folder: string;
  /** Its program that starts Dockline. */
  readonly program: URL;
}

/** Checks a commit out into a temporary folder, with the packages that it names, until the given stack is closed. */
export async function checkOut(commit: string, opened: AsyncDisposableStack): Promise<Checkout> {
  const git = async (...args: string[]) => (await run('git', args, { cwd: ROOT })).stdout.trim();
  const name = await git('rev-parse', '--short', '--verify', `${commit}^{commit}`).catch(() => {
    throw new Error(`${commit} is no commit of this repository`);
  });
  const folder = await mkdtemp(join(tmpdir(), 'dockline-against-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  await git('worktree', 'add', '--detach', folder, name);
  opened.defer(async () => void (await git('worktree', 'remove', '--force', folder)));
  const [own, other] = await Promise.all([ROOT, folder].map((it) => readFile(join(it, 'package-lock.json'), 'utf8')));
  if (own === other) await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  else await run('npm', ['ci', '--ignore-scripts'], { cwd: folder });
  const [program = ''] = ['dockline.cjs', 'start.ts'].filter((file) => existsSync(join(folder, 'src/cli', file)));
  return { commit: name, folder, program: pathToFileURL(join(folder, 'src/cli', program)) };
}
