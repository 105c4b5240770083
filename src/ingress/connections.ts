import { type IncomingMessage, type Server, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { PROBLEM_TYPE, problemBody } from '../http/problem.ts';
import { type RefusalStatus, refusal } from './refusal.ts';

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

const statuses: Readonly<Record<string, RefusalStatus>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Creates the answers of one server to connections whose bytes are not HTTP. */
export function createClientErrors() {
  // Almost always there is one: few clients send a request before the last is answered.
  const open = new WeakMap<Socket, ServerResponse | readonly ServerResponse[]>();
  const failed = new WeakSet<Socket>();

  function refuse(socket: Socket, status: RefusalStatus): void {
    // The bytes that follow fail, too.
    if (failed.has(socket)) return;
    failed.add(socket);
    // The response to a request that broke off will not be sent.
    const last = unsentOf(open.get(socket)).findLast(({ req }) => req.complete);
    if (last) last.once('close', () => write(socket, status));
    else write(socket, status);
  }

  return {
    /** Watches a server for the requests that are answered first, and for CONNECT, which Node leaves to its listeners. */
    watch(server: Server): void {
      server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
        const earlier = unsentOf(open.get(socket));
        open.set(socket, earlier.length > 0 ? [...earlier, response] : response);
      });
      server.on('connect', (_request, socket: Socket) => {
        socket.on('error', () => socket.destroy()).resume();
        refuse(socket, 400);
      });
    },
    /** Answers with a problem, after the whole requests that came before, and closes the connection. */
    answer({ code }: Error & { readonly code: string }, socket: Socket): void {
      if (code === 'ECONNRESET' || !socket.writable) socket.destroy();
      else refuse(socket, statuses[code] ?? 400);
    },
  };
}

const NONE: readonly ServerResponse[] = [];

function unsentOf(responses: ServerResponse | readonly ServerResponse[] = NONE): readonly ServerResponse[] {
  if (responses instanceof ServerResponse) return responses.writableFinished ? NONE : [responses];
  return responses.filter(({ writableFinished }) => !writableFinished);
}

function write(socket: Socket, status: RefusalStatus): void {
  if (!socket.writable) return;
  const body = problemBody(refusal(status));
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
