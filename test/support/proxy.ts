import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** TCP proxy that can be cut, on a constant port. */
export interface Proxy {
  readonly port: number;
  /** Closes all connections and refuses new ones. */
  cut(): Promise<void>;
  /** Accepts connections again. */
  mend(): Promise<void>;
  /** Drops all data in both directions, and leaves connections open. */
  silence(): void;
}

/** Opens a proxy to a host and port that closes when the test ends. */
export async function openProxy(host: string, port: number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let isSilent = false;
  const own = await listen(0);

  async function listen(at: number): Promise<{ readonly server: Server; readonly port: number }> {
    const server = createServer((near) => {
      const far = connect(port, host);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(from);
        from.on('data', (chunk) => isSilent || to.write(chunk));
        from.on('error', () => {});
        from.on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
      }
    });
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
    return { server, port: (server.address() as AddressInfo).port };
  }

  let { server } = own;
  async function cut(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  }
  onTestFinished(cut);

  return {
    port: own.port,
    cut,
    async mend() {
      isSilent = false;
      server = (await listen(own.port)).server;
    },
    silence() {
      isSilent = true;
    },
  };
}
