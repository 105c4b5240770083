import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems hand out by themselves, so that a port is still free when who listened on it comes back. */
const FIRST = 20_000;
const LAST = 32_000;

/** Free ports that nobody is given by chance while they are not listened on. */
export async function findQuietPorts(count: number, between: (from: number, to: number) => number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = between(FIRST, LAST);
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
