import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { createAddressList } from '../http/address-list.ts';
import type { Logger } from '../observability/logger.ts';
import type { ConnectionLimits } from './connections.ts';

/** Minimum age at which a connection that has sent nothing, or no whole request, is closed for a new one. */
const GRACE_MS = 1000;

/** Minimum interval of log lines. */
const LOG_MS = 10_000;

/** Maximum number of requests that one search looks at. */
const SEARCH_LIMIT = 100;

/**
 * Keeps connections free for authentic deliveries: closes the oldest idle connections of strangers when the limit is near, then those
 * whose requests are slow to arrive, then idle ones that carried authentic deliveries. Closes those of peers that flood, unread.
 */
export function keepConnectionsFree(
  server: Server,
  { connections, trustedIdleMs }: ConnectionLimits,
  {
    trustedProxies,
    isFlooding,
    logger,
  }: {
    readonly trustedProxies: readonly string[];
    readonly isFlooding: (address: string | undefined) => boolean;
    readonly logger: Pick<Logger, 'warn'>;
  },
) {
  const room = connections - Math.floor(connections / 10);
  const proxies = createAddressList(trustedProxies);
  const isProxy = (address: string | undefined) =>
    address !== undefined && proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  // Each map has its oldest entry first.
  const open = new Set<Socket>();
  const trusted = new WeakSet<Socket>();
  const silent = new Map<Socket, number>();
  const idle = new Map<Socket, number>();
  const idleTrusted = new Map<Socket, number>();
  const busy = new Map<Socket, { readonly since: number; readonly request: IncomingMessage; count: number }>();
  const report = createReport(logger);

  function forget(socket: Socket): void {
    for (const sockets of [open, silent, idle, idleTrusted, busy]) sockets.delete(socket);
  }

  function findExpendable(): Socket | undefined {
    const before = performance.now() - GRACE_MS;
    const slow = [...busy.entries().take(SEARCH_LIMIT)].find(
      ([, { since, request }]) => since <= before && !request.complete,
    );
    return first(idle) ?? first(silent, before) ?? slow?.[0];
  }

  /** Closes a connection to make room for another. Reports whether there was one. */
  function close(socket: Socket | undefined): boolean {
    if (!socket) return false;
    forget(socket);
    socket.destroy();
    report('closed');
    return true;
  }

  // A connection beyond the limit is dropped before it can replace another, so the reserve is restored beforehand.
  const restore = setInterval(() => {
    while (open.size > room && close(findExpendable()));
  }, GRACE_MS / 4).unref();
  server.once('close', () => clearInterval(restore));

  // What runs on this machine may be a proxy for others.
  const isUnwelcome = ({ remoteAddress, localAddress }: Socket) =>
    remoteAddress !== localAddress && !isProxy(remoteAddress) && isFlooding(remoteAddress);

  server.on('connection', (socket) => {
    if (isUnwelcome(socket)) return void socket.destroy();
    if (open.size >= room) close(findExpendable());
    open.add(socket);
    if (isProxy(socket.remoteAddress)) trusted.add(socket);
    silent.set(socket, performance.now());
    socket.once('close', () => forget(socket));
  });

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const entry = busy.get(socket) ?? { since: performance.now(), request, count: 0 };
    entry.count += 1;
    for (const sockets of [silent, idle, idleTrusted]) sockets.delete(socket);
    busy.set(socket, entry);
    response.once('close', () => {
      entry.count -= 1;
      if (entry.count > 0 || !open.has(socket)) return;
      busy.delete(socket);
      const isTrusted = trusted.has(socket);
      (isTrusted ? idleTrusted : idle).set(socket, performance.now());
      // Node has set the idle time of strangers.
      if (isTrusted) socket.setTimeout(trustedIdleMs);
    });
  });

  server.on('drop', () => {
    report('dropped');
    close(findExpendable() ?? first(idleTrusted));
  });
  return {
    /** Keeps a connection that carried an authentic delivery open for longer. */
    trust: (socket: Socket) => void trusted.add(socket),
    /** Closes the other connections of the same peer, unless it is a trusted proxy or sent authentic deliveries. */
    closeOthers(socket: Socket) {
      if (!isUnwelcome(socket)) return;
      for (const other of open) {
        if (other !== socket && other.remoteAddress === socket.remoteAddress) close(other);
      }
    },
  };
}

function first(sockets: ReadonlyMap<Socket, number>, before = Infinity): Socket | undefined {
  const [[socket, since] = [undefined, Infinity]] = sockets;
  return since <= before ? socket : undefined;
}

/** Logs counts of connections at most every ten seconds. */
function createReport(logger: Pick<Logger, 'warn'>): (event: 'closed' | 'dropped') => void {
  let counts = { closed: 0, dropped: 0 };
  let loggedAt = -Infinity;
  return (event) => {
    counts[event] += 1;
    if (performance.now() - loggedAt < LOG_MS) return;
    loggedAt = performance.now();
    logger.warn(counts, 'too many connections are open; idle ones are closed, and new ones dropped');
    counts = { closed: 0, dropped: 0 };
  };
}
