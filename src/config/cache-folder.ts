import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

interface Environment {
  readonly XDG_CACHE_HOME?: string;
  readonly DATA_FOLDER?: string;
}

/**
 * Returns the folder for files that can be made or downloaded again: `$XDG_CACHE_HOME/dockline`, or `~/.cache/dockline`. A user without
 * an entry and a home, such as a container's, has it in the data folder.
 */
export function findCacheFolder(env: Environment = process.env, home = homedir): string {
  const { XDG_CACHE_HOME: folder = '', DATA_FOLDER } = env;
  if (isAbsolute(folder)) return join(folder, 'dockline');
  try {
    return join(home(), '.cache/dockline');
  } catch {
    return join(DATA_FOLDER || '.dockline', 'cache');
  }
}
