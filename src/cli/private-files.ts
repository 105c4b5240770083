import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Names in the data folder that are Dockline's own; a folder that people share with other programs may have more. */
const OWN = /^(dockline\.db|temporal)/;

/**
 * Keeps other users of the machine from the data: removes their permissions from the data folder and from what Dockline keeps in
 * it, and from all files that this process and its children create. Links are not followed.
 */
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

/** Leaves a file as it is if it belongs to another user, or was deleted meanwhile; and a device such as `/dev/null`, which all share. */
async function restrict(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isDirectory() || found?.isFile()) await chmod(path, found.mode & 0o700).catch(() => undefined);
}
