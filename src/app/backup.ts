import { mkdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Backup } from '../admin/ports.ts';
import type { Store } from '../store/store.ts';

/** Creates backups of the store in the folder `backups` of the data folder, named after their time; undefined for PostgreSQL. */
export function createBackup(
  { backUp, now }: Pick<Store, 'backUp' | 'now'>,
  dataFolder: string,
): (() => Promise<Backup>) | undefined {
  if (!backUp) return undefined;
  return async () => {
    const folder = resolve(dataFolder, 'backups');
    await mkdir(folder, { recursive: true });
    const file = join(folder, `dockline-${new Date(now()).toISOString().replaceAll(':', '-')}.db`);
    await backUp(file);
    return { file, bytes: (await stat(file)).size };
  };
}
