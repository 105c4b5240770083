import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Host to which a redirect leads. */
export type Elsewhere = ReturnType<typeof createElsewhere>;

/** Creates a server on a port of its own, which opens when its address is first needed and counts the requests that follow a redirect. */
export function createElsewhere() {
  const counts = { requests: 0, authorized: 0 };
  let opened: Promise<Server> | undefined;
  const open = async () => {
    const server = createServer(({ headers }, response) => {
      counts.requests += 1;
      if (headers.authorization) counts.authorized += 1;
      response.writeHead(200, { 'content-type': 'application/hal+json' }).end('{}');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return server;
  };
  return {
    /** Returns its address, without a path. */
    async url(): Promise<string> {
      opened ??= open();
      return `http://127.0.0.1:${((await opened).address() as AddressInfo).port}`;
    },
    /** Returns the number of requests, and of those that brought a token. */
    counts: () => ({ ...counts }),
    async close() {
      const server = await opened;
      server?.closeAllConnections();
      server?.close();
    },
  };
}
