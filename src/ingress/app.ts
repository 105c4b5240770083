import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Logger } from '../base/logger.ts';
import { atMostEvery } from '../base/loop.ts';
import { createPeers } from '../http/peers.ts';
import { sendProblem } from '../http/problem.ts';
import { trustIn } from '../http/proxies.ts';
import { type DeliveryRoutesDeps, deliveryRoutes, refusal, toProblem } from './routes.ts';

export interface WebhookDeps extends Omit<DeliveryRoutesDeps, 'peers'> {
  /** Undefined if deliveries can be accepted and processed. */
  readonly whyNotReady: () => Promise<string | undefined>;
  readonly logger: Logger;
  readonly bodyLimit: number;
  readonly timeouts?: typeof defaultTimeouts;
  /** Then a peer without authentic deliveries is refused for the rest of a minute. */
  readonly failuresPerMinute: number;
  /** Addresses and ranges whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
}

/** The warehouse gives up after three seconds. A proxy must not find a connection closed that it keeps (nginx 60 seconds, Caddy 120). */
const defaultTimeouts = { headersMs: 5000, requestMs: 10_000, idleMs: 130_000 };

/** Connections are the proxy's. */
const CONNECTIONS = 5000;

const FAILURES: readonly number[] = [400, 401, 413, 429];

export function createWebhookApp({ whyNotReady, logger, ...deps }: WebhookDeps): FastifyInstance {
  const { bodyLimit, failuresPerMinute, trustedProxies, timeouts = defaultTimeouts } = deps;
  // Many peers must not fill the log.
  const warn = atMostEvery(60_000, (peer?: string) =>
    logger.warn({ peer }, 'too many deliveries of a peer failed; if it is a proxy, add it to WEBHOOK_TRUSTED_PROXIES'),
  );
  const peers = createPeers({ failuresPerMinute, onExhausted: warn });
  const answer = (error: unknown, reply: FastifyReply) => {
    const problem = toProblem(error);
    if (FAILURES.includes(problem.statusCode)) peers.failed(reply.request.ip);
    if (problem.statusCode === 500) logger.error({ err: error }, 'a webhook request failed');
    if (problem.cause) logger.warn({ err: problem.cause }, 'a delivery was not stored');
    return sendProblem(reply, problem);
  };
  const app = fastify({
    // Fastify's own log lines would contain URLs, and with them tokens.
    logger: false,
    bodyLimit,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.idleMs,
    http: { headersTimeout: timeouts.headersMs, connectionsCheckingInterval: 1000 },
    trustProxy: trustIn(trustedProxies),
    // Deliveries in flight are accepted during shutdown; once the inbox closes, it refuses them with a Retry-After.
    return503OnClosing: false,
    frameworkErrors: (_error, _request, reply) => void answer(refusal(404), reply),
  });
  app.server.maxConnections = CONNECTIONS;
  // Node's own answer to what is no HTTP says that the connection ends, Fastify's does not: nginx would send the next delivery over it.
  app.server.removeAllListeners('clientError');
  app.setErrorHandler((error, _request, reply) => answer(error, reply));
  app.setNotFoundHandler((_request, reply) => answer(refusal(404), reply));

  app.register(async (routes) => deliveryRoutes(routes, { ...deps, peers }));
  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async () => {
    const reason = await whyNotReady();
    if (reason !== undefined) throw refusal(503, { detail: reason });
    return { status: 'ready' };
  });
  return app;
}
