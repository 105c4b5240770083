import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { locate, startWatchedProcess } from '../../../sandbox/temporal-server/programs.ts';
import { findPorts } from '../../faults/fixture/ports.ts';

/** Returns why Redis cannot be run here; undefined if it can. */
export async function whyNoRedis(path?: string): Promise<string | undefined> {
  const missing = await locate('redis-server', path).then(() => undefined, String);
  return missing && 'Redis is not installed (apt-get install redis-server)';
}

/** Starts a Redis server of its own that keeps its data durable, until the given stack is closed; returns its port. */
export async function startRedis(opened: AsyncDisposableStack): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'dockline-redis-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const [port = 0] = await findPorts(1, randomInt);
  const settings = ['--port', port, '--dir', folder, '--appendonly', 'yes', '--appendfsync', 'always'].map(String);
  const server = startWatchedProcess('redis-server', settings);
  opened.defer(() => server.stop());
  return port;
}
