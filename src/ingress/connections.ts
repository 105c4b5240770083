import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyHttpOptions, FastifyInstance } from 'fastify';
import { PROBLEM_TYPE, Problem, type ProblemStatus, problemBody } from './problem.ts';

/** How long senders may take, and how many of them there may be. */
export interface ConnectionLimits {
  /** For the headers of a request, in milliseconds. */
  readonly headersMs: number;
  /** For a request with its body, in milliseconds. */
  readonly requestMs: number;
  readonly connections: number;
}

/** The sender itself waits three seconds; what has not come in ten will be sent again. */
export const defaultConnectionLimits: ConnectionLimits = { headersMs: 5000, requestMs: 10_000, connections: 5000 };

/** How a server holds its connections to the limits, and answers what never becomes a request. */
export function connectionOptions({ headersMs, requestMs }: ConnectionLimits) {
  return {
    requestTimeout: requestMs,
    http: {
      headersTimeout: headersMs,
      connectionsCheckingInterval: Math.min(headersMs, 1000),
      requireHostHeader: false,
    },
    clientErrorHandler: answerClientError,
  } satisfies FastifyHttpOptions<Server>;
}

/** Holds an app to the number of connections, and has it answer what Node would answer on its own, without a problem. */
export function guardConnections(app: FastifyInstance, { connections }: ConnectionLimits): void {
  app.server.maxConnections = connections;
  // An expectation that is not known is no reason to turn a delivery away.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const isWhole = raw.httpVersion !== '1.1' || raw.headers.host !== undefined;
    done(isWhole ? undefined : new Problem(400, { headers: { connection: 'close' } }));
  });
}

const statuses: Readonly<Record<string, ProblemStatus>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

function answerClientError({ code }: Error & { readonly code: string }, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = statuses[code] ?? 400;
  const body = problemBody(status);
  socket.write(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `content-type: ${PROBLEM_TYPE}`,
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  socket.destroySoon();
}
