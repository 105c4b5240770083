import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Dockline's own; the folder may have files of others. */
const OWN = /^(dockline\.db|temporal)/;

/** Keeps other users from the data folder and from all files that this process and its children create. Does not follow links. */
export async function makePrivate(folder: string): Promise<void> {
  process.umask(0o077);
  await restrict(folder);
  for (const name of await namesIn(folder)) {
    if (!OWN.test(name)) continue;
    await restrict(join(folder, name));
    for (const inner of await namesIn(join(folder, name))) await restrict(join(folder, name, inner));
  }
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** Skips files of other users, deleted ones, and devices such as `/dev/null`. */
async function restrict(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isDirectory() || found?.isFile()) await chmod(path, found.mode & 0o700).catch(() => undefined);
}
