import { type IncomingMessage, type Server, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEM_TYPE, problemBody } from '../http/problem.ts';
import { type RefusalStatus, refusal } from './refusal.ts';

const statuses: Readonly<Record<string, RefusalStatus>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers connections whose bytes are no HTTP. */
export interface ClientErrors {
  /** Watches a server for the requests that are answered first, and for CONNECT, which Node leaves to its listeners. */
  watch(server: Server): void;
  /** Answers with a problem, after the whole requests that came before, and closes the connection. */
  answer(error: Error & { readonly code: string }, socket: Socket): void;
}

/** Creates the answers of one server. */
export function createClientErrors(): ClientErrors {
  // Almost always there is one: few clients send a request before the last is answered.
  const open = new WeakMap<Socket, ServerResponse | readonly ServerResponse[]>();
  const failed = new WeakSet<Socket>();

  /** Returns the last response that will still be sent: one to a request that broke off is not. */
  const findLast = (socket: Socket): ServerResponse | undefined =>
    unsentOf(open.get(socket)).findLast(({ req }) => req.complete);

  function refuse(socket: Socket, status: RefusalStatus): void {
    // The bytes that follow fail, too.
    if (failed.has(socket)) return;
    failed.add(socket);
    const last = findLast(socket);
    if (last) last.once('close', () => write(socket, status));
    else write(socket, status);
  }

  return {
    watch(server) {
      server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
        const earlier = unsentOf(open.get(socket));
        open.set(socket, earlier.length > 0 ? [...earlier, response] : response);
      });
      server.on('connect', (_request, socket: Socket) => {
        socket.on('error', () => socket.destroy()).resume();
        refuse(socket, 400);
      });
    },
    answer({ code }, socket) {
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
