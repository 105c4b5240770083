import { once } from 'node:events';
import { createConnection, isIP, isIPv6 } from 'node:net';
import { Connection } from '@temporalio/client';
import type { Tls } from '../../forms/pem-files.ts';
import { connecting, type FindAddresses } from '../../http/lookup.ts';
import { createGuard, guardedLookup } from '../sending/guard.ts';
import type { DestinationContext } from './kind.ts';
import { isAnswer } from './temporal-failure.ts';

export interface CheckedServer extends Pick<DestinationContext, 'timeoutMs' | 'allowedAddresses'> {
  /** `temporals://host:port/namespace`; `temporal://` is plain text. */
  readonly url: string;
  readonly bearer?: string | undefined;
  readonly tls?: Tls | undefined;
  readonly findAddresses?: FindAddresses;
}

export const DEFAULT_PORT = 7233;

/**
 * Leads to the address that the guard has checked: gRPC would look the name up again. Looked up with the first call, and after one without
 * an answer.
 */
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

/** Admitted by the guard, and takes connections. */
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

const withoutBrackets = (hostname: string): string => hostname.replaceAll(/^\[|\]$/g, '');

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
