import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Logger } from '../observability/logger.ts';
import { type ConnectionLimits, connectionOptions, defaultConnectionLimits, guardConnections } from './connections.ts';
import { PROBLEM_TYPE, Problem, problemBody, statusOf } from './problem.ts';
import { type DeliveryRoutesDeps, deliveryRoutes } from './routes.ts';

/** What the webhook works with. */
export interface WebhookDeps extends DeliveryRoutesDeps {
  /** Whether a delivery could be taken now. */
  readonly isReady: () => boolean | Promise<boolean>;
  readonly logger: Logger;
  readonly connectionLimits?: ConnectionLimits;
}

/** When a sender should come again, in seconds. */
const RETRY_AFTER_S = '5';

/** The way in for the warehouse's messages, and its health; listening is up to the caller. */
export function createWebhookApp({ isReady, logger, ...deps }: WebhookDeps): FastifyInstance {
  const { connectionLimits = defaultConnectionLimits } = deps;
  const answer = createAnswer(logger);
  const app = fastify({
    // Fastify's own log lines would carry URLs, and with them tokens.
    logger: false,
    ...connectionOptions(connectionLimits),
    // While it closes, deliveries under way are taken; refusing them is for the inbox, which names a time to come again.
    return503OnClosing: false,
    frameworkErrors: (_error, _request, reply) => void answer(new Problem(404), reply),
  });
  guardConnections(app, connectionLimits);
  app.setErrorHandler((error, _request, reply) => answer(error, reply));
  app.setNotFoundHandler((_request, reply) => answer(new Problem(404), reply));

  app.register(async (routes) => deliveryRoutes(routes, deps));
  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async () => {
    if (!(await isReady())) throw new Problem(503);
    return { status: 'ready' };
  });
  return app;
}

function createAnswer(logger: Logger): (error: unknown, reply: FastifyReply) => FastifyReply {
  return (error, reply) => {
    const status = statusOf(error);
    if (status === 500) logger.error({ err: error }, 'a request failed');
    if (error instanceof Problem) reply.headers(error.headers);
    if (error instanceof Problem && error.cause) logger.warn({ err: error.cause }, 'a delivery was not taken');
    if (status === 405) reply.header('allow', 'POST');
    if (status === 503) reply.header('retry-after', RETRY_AFTER_S);
    return reply.code(status).type(PROBLEM_TYPE).send(problemBody(status));
  };
}
