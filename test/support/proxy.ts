import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A way to a server that can be cut, on a port that stays the same. */
export interface Proxy {
  readonly port: number;
  /** Ends all connections and refuses new ones. */
  cut(): Promise<void>;
  /** Lets connections be made again. */
  mend(): Promise<void>;
  /** Lets nothing through any more, in either direction, without a word. */
  silence(): void;
}

/** Opens a way to a host and port that is there until the test is over. */
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
