import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Address of the embedded server, which only this machine can reach. */
export const LOOPBACK = '127.0.0.1';

/** Maximum time that a server of a killed Dockline holds its port while it ends, in milliseconds. */
const RELEASE_MS = 3_000;

/** Returns the port once it is free, or any free port for 0. Rejects with the variable with which the user chooses another, and with a hint. */
export async function findPort(port: number, variable: string, hint = ''): Promise<number> {
  const deadline = Date.now() + RELEASE_MS;
  for (;;) {
    try {
      return await probe(port);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const inUse = code === 'EADDRINUSE';
      if (!inUse || Date.now() > deadline) {
        const reason = inUse ? 'is in use by another program' : `cannot be used (${message})`;
        throw new Error(`Port ${port} ${reason}; set ${variable} to a free one${hint}`, { cause: error });
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
