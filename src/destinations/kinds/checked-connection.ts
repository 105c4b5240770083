import { once } from 'node:events';
import { createConnection, isIP, isIPv6 } from 'node:net';
import { status } from '@grpc/grpc-js';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { withoutBrackets } from '../../base/loopback.ts';
import { DocklineError, reasonOf } from '../../domain/errors.ts';
import type { Tls } from '../../forms/files.ts';
import { createGuard, guardedLookup } from '../../http/guard.ts';
import { connecting, type FindAddresses } from '../../http/lookup.ts';
import { type DestinationContext, unreachable } from './kind.ts';

export const answers = {
  success: 200,
  noWorker: 503,
} as const;

/** As google.rpc.Code maps gRPC to HTTP statuses. */
const httpStatuses: ReadonlyMap<status, number> = new Map([
  [status.INVALID_ARGUMENT, 400],
  [status.FAILED_PRECONDITION, 400],
  [status.OUT_OF_RANGE, 400],
  [status.UNAUTHENTICATED, 401],
  [status.PERMISSION_DENIED, 403],
  [status.NOT_FOUND, 404],
  [status.ALREADY_EXISTS, 409],
  [status.ABORTED, 409],
  [status.RESOURCE_EXHAUSTED, 429],
  [status.INTERNAL, 500],
  [status.UNKNOWN, 500],
  [status.DATA_LOSS, 500],
  [status.UNIMPLEMENTED, 501],
]);

const isAnswer = (error: unknown): boolean => isGrpcServiceError(error) && httpStatuses.has(error.code);

/** They are a verdict on one signal, such as an id that is too long. */
const verdicts: ReadonlySet<status> = new Set([status.INVALID_ARGUMENT, status.OUT_OF_RANGE, status.ALREADY_EXISTS]);

/** By the limit of a payload, or of all messages. */
export const isTooLarge = (error: unknown): boolean =>
  isGrpcServiceError(error) &&
  ((error.code === status.INVALID_ARGUMENT && /exceeds (size )?limit/i.test(error.details)) ||
    (error.code === status.RESOURCE_EXHAUSTED && /larger than max/.test(error.details)));

/** Its id may not be used again. */
export const isClosed = (error: unknown): boolean => isGrpcServiceError(error) && error.code === status.ALREADY_EXISTS;

export const isGone = (error: unknown): boolean => isGrpcServiceError(error) && error.code === status.NOT_FOUND;

/** Names neither the API key nor the content of the signal. */
export function explain(error: unknown, name: string): DocklineError {
  if (!isGrpcServiceError(error)) return unreachable(name, reasonOf(error), error);
  const httpStatus = httpStatuses.get(error.code);
  if (httpStatus === undefined) return unreachable(name, error.details.replace(/\.? Resolution note:.*$/s, ''), error);
  const code = verdicts.has(error.code) || isTooLarge(error) ? 'ERR_DESTINATION_REFUSED' : 'ERR_DESTINATION_FAILED';
  return new DocklineError(code, `${name} failed: ${error.details}`, { status: httpStatus });
}

export interface CheckedServer extends Pick<DestinationContext, 'timeoutMs' | 'allowedAddresses'> {
  /** `temporals://host:port/namespace`; `temporal://` is plain text. */
  readonly url: string;
  readonly bearer?: string | undefined;
  readonly tls?: Tls | undefined;
  readonly findAddresses?: FindAddresses;
}

const DEFAULT_PORT = 7233;

/** Leads to the address that the guard has checked: gRPC would look the name up again. */
export function createCheckedConnection(server: CheckedServer) {
  let current: Promise<Connection> | undefined;

  async function drop(connection: Promise<Connection> | undefined): Promise<void> {
    if (current === connection) current = undefined;
    await connection?.then((it) => it.close()).catch(() => undefined);
  }

  return {
    /** Without retries: announcing retries. */
    async call<T>(request: (service: Connection['workflowService']) => Promise<T>): Promise<T> {
      const deadline = Date.now() + server.timeoutMs;
      current ??= reach(server).then((address) => connect(server, address));
      const used = current;
      try {
        const connection = await used;
        return await connection.withDeadline(deadline, () => request(connection.workflowService));
      } catch (error) {
        if (!isAnswer(error)) void drop(used);
        throw error;
      }
    },
    close: () => drop(current),
  };
}

async function reach({ url, timeoutMs, allowedAddresses, findAddresses }: CheckedServer): Promise<string> {
  const { hostname, port } = new URL(url);
  const host = withoutBrackets(hostname);
  const lookup = guardedLookup(createGuard(url, allowedAddresses), host, findAddresses);
  const signal = AbortSignal.timeout(timeoutMs);
  const socket = createConnection({ ...connecting, host, port: Number(port || DEFAULT_PORT), lookup, signal });
  try {
    await once(socket, 'connect');
    return socket.remoteAddress ?? '';
  } catch (error) {
    throw signal.aborted ? new Error(`no connection within ${timeoutMs} ms`) : error;
  } finally {
    socket.destroy();
  }
}

/** TLS and the server see the host's name. */
function connect({ url, bearer, tls = {} }: CheckedServer, address: string): Connection {
  const { protocol, hostname, host, port } = new URL(url);
  const { ca, cert, key } = tls;
  const isNamed = isIP(withoutBrackets(hostname)) === 0;
  return Connection.lazy({
    address: `${isIPv6(address) ? `[${address}]` : address}:${port || DEFAULT_PORT}`,
    tls: protocol === 'temporals:' && {
      ...(isNamed && { serverNameOverride: hostname }),
      ...(ca && { serverRootCACertificate: Buffer.from(ca) }),
      ...(cert && key && { clientCertPair: { crt: Buffer.from(cert), key: Buffer.from(key) } }),
    },
    ...(bearer && { apiKey: bearer }),
    interceptors: [],
    channelArgs: {
      'grpc.enable_http_proxy': 0,
      'grpc.max_reconnect_backoff_ms': 2_000,
      ...(isNamed && { 'grpc.default_authority': host }),
    },
  });
}
