import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What a gate does to connections: lets them through, closes them at once, resets them at their first answer, or delays every answer. */
export type GateMode = 'open' | 'closed' | 'resetting' | { readonly delayMs: () => number };

/** A way over TCP to another port that can be disturbed; its own port stays the same. */
export interface Gate {
  readonly port: number;
  /** Takes effect on connections that are there, too; those of a gate that closes are cut. */
  set(mode: GateMode): void;
  /** Cuts the connections that are there. */
  cut(): void;
  close(): Promise<void>;
}

/** Opens a gate before a port of this or another machine. */
export async function openGate(target: { readonly host: string; readonly port: number }): Promise<Gate> {
  const sockets = new Set<Socket>();
  let mode: GateMode = 'open';
  const keep = (socket: Socket, whenClosed: () => void) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      whenClosed();
    });
  };
  const server = createServer((near) => {
    if (mode === 'closed') return void near.resetAndDestroy();
    const far = connect(target);
    let answered: Promise<unknown> = Promise.resolve();
    const later = (act: () => void) => {
      const { delayMs = () => 0 } = typeof mode === 'object' ? mode : {};
      answered = answered.then(() => pause(delayMs())).then(act);
    };
    keep(near, () => far.destroy());
    keep(far, () => later(() => near.destroy()));
    near.on('data', (chunk) => far.write(chunk));
    far.on('data', (chunk) => {
      if (mode === 'resetting') near.resetAndDestroy();
      else later(() => near.writable && near.write(chunk));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    set(changed) {
      mode = changed;
      if (mode === 'closed') cut();
    },
    cut,
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
