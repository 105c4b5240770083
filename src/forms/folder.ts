import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Node's own recursion never ends where nothing can be made, such as below `/proc`. */
export function makeFolder(path: string, mode?: number): void {
  const folder = resolve(path);
  if (existsSync(folder)) return;
  makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Another process was faster.
    if (code !== 'EEXIST')
      throw new Error(
        `${folder} cannot be created (${code}): DATA_FOLDER and XDG_CACHE_HOME say where Dockline writes`,
        {
          cause: error,
        },
      );
  }
}
