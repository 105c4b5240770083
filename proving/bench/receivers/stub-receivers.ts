import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Conduct of a receiver: it takes everything at once, refuses every attempt, or takes half a second to a whole one. */
export type Conduct = 'healthy' | 'failing' | 'slow';

/** Time that a slow receiver takes, in milliseconds: at least, and at most. */
const SLOW_MS = [500, 1000] as const;

/** Receivers on one port, each at a path of its own. */
export interface StubReceivers {
  readonly url: string;
  setConduct(name: string, conduct: Conduct): void;
  /** Returns the number of distinct announcements that a receiver has taken. */
  taken(name: string): number;
  close(): Promise<void>;
}

/** Starts receivers that are all healthy. */
export async function startStubReceivers(): Promise<StubReceivers> {
  const conducts = new Map<string, Conduct>();
  const taken = new Map<string, Set<string>>();
  const server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1);
    const conduct = conducts.get(name) ?? 'healthy';
    request.resume().on('end', () => {
      if (conduct === 'failing') return void response.writeHead(503).end();
      const take = () => {
        const ids = taken.get(name) ?? new Set();
        taken.set(name, ids.add(String(request.headers['webhook-id'])));
        response.writeHead(204).end();
      };
      const [least, most] = SLOW_MS;
      if (conduct === 'slow') setTimeout(take, least + Math.random() * (most - least));
      else take();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setConduct: (name, conduct) => void conducts.set(name, conduct),
    taken: (name) => taken.get(name)?.size ?? 0,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
