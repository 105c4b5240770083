import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Where the embedded server listens: this machine only. */
export const LOOPBACK = '127.0.0.1';

/** How long a server that is just going, after its Dockline was killed, may still hold its port. */
const RELEASE_MS = 3_000;

/**
 * The port once it is free, or some free port for 0. Rejects with a message that names the variable by which the user
 * chooses another.
 */
export async function findPort(port: number, variable: string): Promise<number> {
  const deadline = Date.now() + RELEASE_MS;
  for (;;) {
    try {
      return await probe(port);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const inUse = code === 'EADDRINUSE';
      if (!inUse || Date.now() > deadline) {
        const reason = inUse ? 'is in use by another program' : `cannot be used (${message})`;
        throw new Error(`Port ${port} ${reason}; set ${variable} to a free one`, { cause: error });
      }
      await pause(100);
    }
  }
}

async function probe(port: number): Promise<number> {
  const server = createServer().listen(port, LOOPBACK);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : port;
}
