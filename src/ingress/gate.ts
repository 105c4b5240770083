import type { Server } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { createPeers } from '../http/peers.ts';
import type { Logger } from '../observability/logger.ts';
import type { ConnectionLimits } from './connections.ts';
import { keepConnectionsFree } from './idle-connections.ts';

/** Request as far as it shows its peer and its connection. */
type Arrival = Pick<FastifyRequest, 'ip' | 'raw'>;

/** Keeps a server free for authentic deliveries. */
export type Gate = ReturnType<typeof createGate>;

/** Bytes of a forged body that count as one failure more: they were read and hashed for nothing. */
const BYTES_PER_FAILURE = 16_384;

/** Creates the gate of a server: it refuses peers whose requests fail too often, and closes the connections of those that go on. */
export function createGate(
  server: Server,
  {
    limits,
    failuresPerMinute,
    trustedProxies,
    logger,
  }: {
    readonly limits: ConnectionLimits;
    readonly failuresPerMinute: number;
    readonly trustedProxies: readonly string[];
    readonly logger: Pick<Logger, 'warn'>;
  },
) {
  const peers = createPeers({ failuresPerMinute });
  const { isFlooding } = peers;
  const connections = keepConnectionsFree(server, limits, { trustedProxies, isFlooding, logger });
  const warn = onceAMinute((peer: string) =>
    logger.warn({ peer }, 'too many deliveries of a peer failed; if it is a proxy, add it to WEBHOOK_TRUSTED_PROXIES'),
  );
  const count = (ip: string, failures?: number): void => {
    if (peers.failed(ip, failures)) warn(ip);
  };
  return {
    /** Returns the seconds for which a request is refused; undefined if it is not. */
    refusedFor: ({ ip }: Arrival) => peers.refusedFor(ip),
    /** Reports whether a request that is refused may show credentials all the same. */
    mayTry: ({ ip }: Arrival) => peers.mayTry(ip),
    /** Notes an authentic delivery. */
    authentic({ ip, raw }: Arrival) {
      peers.succeeded(ip);
      connections.trust(raw.socket);
    },
    /** Notes a request that failed. */
    failed: ({ ip }: Arrival) => count(ip),
    /** Notes a delivery that is not authentic, beside its failure, with the length of its body. */
    forged({ ip, raw }: Arrival, bytes: number) {
      count(ip, Math.floor(bytes / BYTES_PER_FAILURE));
      if (isFlooding(ip)) connections.closeOthers(raw.socket);
    },
    /** Notes a body that costs more than it can be worth. */
    flooded({ ip, raw }: Arrival) {
      peers.flooded(ip);
      if (isFlooding(ip)) warn(ip);
      connections.closeOthers(raw.socket);
    },
  };
}

/** Calls a function at most once a minute, so that many peers do not fill the log. */
function onceAMinute<T>(call: (value: T) => void): (value: T) => void {
  let calledAt = -Infinity;
  return (value) => {
    const time = performance.now();
    if (time - calledAt < 60_000) return;
    calledAt = time;
    call(value);
  };
}
