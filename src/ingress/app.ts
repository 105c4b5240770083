import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { createPeers } from '../http/peers.ts';
import { sendProblem } from '../http/problem.ts';
import type { Logger } from '../observability/logger.ts';
import { createClientErrors } from './client-errors.ts';
import { type ConnectionLimits, connectionOptions, defaultConnectionLimits, guardConnections } from './connections.ts';
import { keepConnectionsFree } from './idle-connections.ts';
import { refusal, toProblem } from './refusal.ts';
import { type DeliveryRoutesDeps, deliveryRoutes } from './routes.ts';

/** Dependencies of the webhook server. */
export interface WebhookDeps
  extends Omit<DeliveryRoutesDeps, 'peers' | 'onAuthentic' | 'onForged' | 'onUnrecognized' | 'onFlood'> {
  /** Reports whether the inbox accepts deliveries. */
  readonly isReady: () => boolean | Promise<boolean>;
  readonly logger: Logger;
  readonly connectionLimits?: ConnectionLimits;
  /** Number of failures after which a peer without authentic deliveries is refused for the rest of a minute. */
  readonly failuresPerMinute?: number;
  /** Addresses and ranges of proxies whose `X-Forwarded-For` names the peer. */
  readonly trustedProxies?: readonly string[];
}

/** Bytes of a forged body that count as one failure more: they were read and hashed for nothing. */
const BYTES_PER_FAILURE = 16_384;

/** Statuses that count as a failure of the peer. */
const FAILURES: readonly number[] = [400, 401, 413, 429];

/** Creates the server of the webhook endpoints and the health checks; the caller makes it listen. */
export function createWebhookApp({ isReady, logger, ...deps }: WebhookDeps): FastifyInstance {
  const { connectionLimits = defaultConnectionLimits, failuresPerMinute = 600, trustedProxies = [] } = deps;
  const peers = createPeers({ failuresPerMinute });
  const countFailure = ({ ip }: Pick<FastifyRequest, 'ip'>) => {
    if (peers.failed(ip)) warnOfFailures(ip);
  };
  const answer = (error: unknown, reply: FastifyReply) => {
    const problem = toProblem(error);
    if (FAILURES.includes(problem.statusCode)) countFailure(reply.request);
    if (problem.statusCode === 500) logger.error({ err: error }, 'a webhook request failed');
    if (problem.cause) logger.warn({ err: problem.cause }, 'a delivery was not stored');
    return sendProblem(reply, problem);
  };
  const warnOfFailures = onceAMinute((peer: string) =>
    logger.warn({ peer }, 'too many deliveries of a peer failed; if it is a proxy, add it to WEBHOOK_TRUSTED_PROXIES'),
  );
  const clientErrors = createClientErrors();
  const app = fastify({
    // Fastify's own log lines would contain URLs, and with them tokens.
    logger: false,
    ...connectionOptions(connectionLimits, clientErrors),
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    // Deliveries in flight are accepted during shutdown; once the inbox closes, it refuses them with a Retry-After.
    return503OnClosing: false,
    frameworkErrors: (_error, _request, reply) => void answer(refusal(404), reply),
  });
  guardConnections(app, connectionLimits);
  clientErrors.watch(app.server);
  const { connections, trustedIdleMs = 72_000 } = connectionLimits;
  const { isFlooding } = peers;
  const open = keepConnectionsFree(app.server, { connections, trustedIdleMs }, { trustedProxies, isFlooding, logger });
  const onAuthentic = ({ ip, raw }: Pick<FastifyRequest, 'ip' | 'raw'>) => {
    peers.succeeded(ip);
    open.trust(raw.socket);
  };
  const onForged = ({ ip, raw }: Pick<FastifyRequest, 'ip' | 'raw'>, bytes: number) => {
    if (peers.failed(ip, Math.floor(bytes / BYTES_PER_FAILURE))) warnOfFailures(ip);
    if (isFlooding(ip)) open.closeOthers(raw.socket);
  };
  const onFlood = ({ ip, raw }: Pick<FastifyRequest, 'ip' | 'raw'>) => {
    peers.flooded(ip);
    if (isFlooding(ip)) warnOfFailures(ip);
    open.closeOthers(raw.socket);
  };
  app.setErrorHandler((error, _request, reply) => answer(error, reply));
  app.setNotFoundHandler((_request, reply) => answer(refusal(404), reply));

  app.register(async (routes) =>
    deliveryRoutes(routes, { ...deps, peers, onAuthentic, onForged, onFlood, onUnrecognized: countFailure }),
  );
  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async () => {
    if (!(await isReady())) throw refusal(503);
    return { status: 'ready' };
  });
  return app;
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
