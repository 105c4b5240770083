import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Returns the folder for files that can be made or downloaded again: `$XDG_CACHE_HOME/dockline`, or `~/.cache/dockline`. A user without
 * an entry and a home, such as a container's, needs the variable.
 */
export function findCacheFolder(env: { readonly XDG_CACHE_HOME?: string } = process.env, home = homedir): string {
  const { XDG_CACHE_HOME: folder = '' } = env;
  return join(isAbsolute(folder) ? folder : join(home(), '.cache'), 'dockline');
}
