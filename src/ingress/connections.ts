import type { Server } from 'node:http';
import type { FastifyHttpOptions, FastifyInstance } from 'fastify';
import type { ClientErrors } from './client-errors.ts';
import { refusal } from './refusal.ts';

/** Limits of the webhook's connections. */
export interface ConnectionLimits {
  /** Maximum time for the headers of a request, in milliseconds. */
  readonly headersMs: number;
  /** Maximum time for a whole request, in milliseconds. */
  readonly requestMs: number;
  /** Maximum number of open connections; when nine tenths are open, idle ones are closed for new ones. */
  readonly connections: number;
  /** Maximum idle time of a connection that carried no authentic delivery, in milliseconds. */
  readonly idleMs: number;
  /** Maximum idle time of one that did, or that comes from a trusted proxy, in milliseconds. */
  readonly trustedIdleMs: number;
}

/** The warehouse itself gives up after three seconds and sends the webhook again. */
export const defaultConnectionLimits: ConnectionLimits = {
  headersMs: 5000,
  requestMs: 10_000,
  connections: 5000,
  idleMs: 5000,
  trustedIdleMs: 72_000,
};

/** Options of a server that enforces the time limits and answers what it cannot parse with a problem. */
export function connectionOptions(
  { headersMs, requestMs, idleMs }: ConnectionLimits,
  { answer }: Pick<ClientErrors, 'answer'>,
) {
  return {
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    http: {
      headersTimeout: headersMs,
      connectionsCheckingInterval: Math.min(headersMs, 1000),
      requireHostHeader: false,
    },
    clientErrorHandler: answer,
  } satisfies FastifyHttpOptions<Server>;
}

/** Limits the number of connections, and replaces answers that Node would give without a problem. */
export function guardConnections(app: FastifyInstance, { connections }: ConnectionLimits): void {
  app.server.maxConnections = connections;
  // An unknown expectation is no reason to refuse a delivery.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const isValid = raw.httpVersion !== '1.1' || raw.headers.host !== undefined;
    done(isValid ? undefined : refusal(400, { headers: { connection: 'close' } }));
  });
}
