import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Announced } from './ledger.ts';

/** A destination that takes every announcement at once. */
export interface StubDestination {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a destination that passes what it is told on. It understands Dockline's announcements and `{orderId, milestone}`. */
export async function startStubDestination(onAnnounced: (announced: Announced) => void): Promise<StubDestination> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { data, ...plain } = JSON.parse(Buffer.concat(chunks).toString());
      onAnnounced(data ? { orderId: data.id, milestone: data.milestone } : plain);
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/announcements`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
