import { readdir, readFile, readlink } from 'node:fs/promises';
import { request } from 'undici';

/** Reports whether a Dockline answers at this place, within two seconds. */
export async function isDocklineAt(host: string, port: number): Promise<boolean> {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  try {
    const { body } = await request(`http://${name}:${port}/health/live`, { signal: AbortSignal.timeout(2000) });
    return ((await body.json()) as { status?: unknown }).status === 'live';
  } catch {
    return false;
  }
}

/** Says who has a port, as far as that can be told: `a running Dockline (process 4711)`, `process 4711`, `another program`. */
export async function describeHolder(host: string, port: number): Promise<string> {
  const [isDockline, pid] = await Promise.all([isDocklineAt(host, port), findListener(port)]);
  if (isDockline) return `a running Dockline${pid === undefined ? '' : ` (process ${pid})`}`;
  return pid === undefined ? 'another program' : `process ${pid}`;
}

/** Returns the id of the process that listens on a TCP port; undefined if it is another user's, or this is not Linux. */
async function findListener(port: number): Promise<number | undefined> {
  try {
    const tables = await Promise.all(['tcp', 'tcp6'].map((table) => readFile(`/proc/net/${table}`, 'utf8')));
    const sockets = new Set(tables.flatMap((table) => listenersIn(table, port)));
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    for (const pid of pids) if (await hasOneOf(pid, sockets)) return Number(pid);
  } catch {
    // Not Linux, or hidden.
  }
  return undefined;
}

const LISTENING = '0A';

/** Returns the sockets that listen on a port, as links name them. */
const listenersIn = (table: string, port: number): string[] =>
  table.split('\n').flatMap((line) => {
    const [, address = '', , state, , , , , , inode] = line.trim().split(/\s+/);
    const isListener = state === LISTENING && Number.parseInt(address.split(':')[1] ?? '', 16) === port;
    return isListener ? [`socket:[${inode}]`] : [];
  });

/** Reports whether a process has one of the sockets open; false if it may not be looked at. */
async function hasOneOf(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const files = await readdir(folder).catch(() => []);
  const links = await Promise.all(files.map((file) => readlink(`${folder}/${file}`).catch(() => '')));
  return links.some((link) => sockets.has(link));
}
