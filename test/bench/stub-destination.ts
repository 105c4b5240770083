import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Announced } from './ledger.ts';

/** A destination that takes every announcement. */
export interface StubDestination {
  readonly url: string;
  /** Changes how long each answer takes from now on, in milliseconds. */
  behave(manners: { readonly latencyMs: number }): void;
  close(): Promise<void>;
}

/**
 * Starts a destination that answers at once and passes on what it is told, before it answers. It understands Dockline's announcements and
 * `{orderId, milestone}`.
 */
export async function startStubDestination(onAnnounced: (announced: Announced) => void): Promise<StubDestination> {
  let latencyMs = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { data, ...plain } = JSON.parse(Buffer.concat(chunks).toString());
      onAnnounced(data ? { orderId: data.id, milestone: data.milestone } : plain);
      const answer = () => response.writeHead(204).end();
      if (latencyMs === 0) answer();
      else setTimeout(answer, latencyMs);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/announcements`,
    behave: (manners) => {
      latencyMs = manners.latencyMs;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
