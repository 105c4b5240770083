import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from '../forms/forms.ts';

/** `$XDG_CACHE_HOME/dockline`, or `~/.cache/dockline`; in the data folder for a user without a home, as in a container. */
export function findCacheFolder(env: Environment = process.env, home = homedir): string {
  const { XDG_CACHE_HOME: folder = '', DATA_FOLDER } = env;
  if (isAbsolute(folder)) return join(folder, 'dockline');
  try {
    return join(home(), '.cache/dockline');
  } catch {
    return join(DATA_FOLDER || '.dockline', 'cache');
  }
}
