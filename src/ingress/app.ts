import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { sendProblem } from '../http/problem.ts';
import type { Logger } from '../observability/logger.ts';
import { type ConnectionLimits, createClientErrors, defaultConnectionLimits, guardConnections } from './connections.ts';
import { createGate } from './gate.ts';
import { refusal, toProblem } from './refusal.ts';
import { type DeliveryRoutesDeps, deliveryRoutes } from './routes.ts';

/** Dependencies of the webhook server. */
export interface WebhookDeps extends Omit<DeliveryRoutesDeps, 'gate'> {
  /** Reports whether the inbox accepts deliveries. */
  readonly isReady: () => boolean | Promise<boolean>;
  readonly logger: Logger;
  readonly connectionLimits?: Partial<ConnectionLimits>;
  /** Number of failures after which a peer without authentic deliveries is refused for the rest of a minute. */
  readonly failuresPerMinute: number;
  /** Addresses and ranges of proxies whose `X-Forwarded-For` names the peer. */
  readonly trustedProxies: readonly string[];
}

/** Statuses that count as a failure of the peer. */
const FAILURES: readonly number[] = [400, 401, 413, 429];

/** Creates the server of the webhook endpoints and the health checks; the caller makes it listen. */
export function createWebhookApp({ isReady, logger, ...deps }: WebhookDeps): FastifyInstance {
  const { failuresPerMinute, trustedProxies } = deps;
  const limits = { ...defaultConnectionLimits, ...deps.connectionLimits };
  const answer = (error: unknown, reply: FastifyReply) => {
    const problem = toProblem(error);
    if (FAILURES.includes(problem.statusCode)) gate.failed(reply.request);
    if (problem.statusCode === 500) logger.error({ err: error }, 'a webhook request failed');
    if (problem.cause) logger.warn({ err: problem.cause }, 'a delivery was not stored');
    return sendProblem(reply, problem);
  };
  const clientErrors = createClientErrors();
  const app = fastify({
    // Fastify's own log lines would contain URLs, and with them tokens.
    logger: false,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    http: {
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: Math.min(limits.headersMs, 1000),
      requireHostHeader: false,
    },
    clientErrorHandler: clientErrors.answer,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    // Deliveries in flight are accepted during shutdown; once the inbox closes, it refuses them with a Retry-After.
    return503OnClosing: false,
    frameworkErrors: (_error, _request, reply) => void answer(refusal(404), reply),
  });
  guardConnections(app, limits);
  clientErrors.watch(app.server);
  const gate = createGate(app.server, { limits, failuresPerMinute, trustedProxies, logger });
  app.setErrorHandler((error, _request, reply) => answer(error, reply));
  app.setNotFoundHandler((_request, reply) => answer(refusal(404), reply));

  app.register(async (routes) => deliveryRoutes(routes, { ...deps, gate }));
  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async () => {
    if (!(await isReady())) throw refusal(503);
    return { status: 'ready' };
  });
  return app;
}
