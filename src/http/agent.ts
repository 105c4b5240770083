import type { Socket } from 'node:net';
import { Agent, buildConnector, errors, Pool, ProxyAgent } from 'undici';
import { connecting } from './lookup.ts';
import { type Proxies, proxyOf } from './proxies.ts';

/** Whole interim answers (1xx), except 101, after which no HTTP follows. */
const INTERIM = /^(?:HTTP\/1\.\d 1(?!01)\d\d.*?\r\n\r\n)+/s;

const BEGUN = /^HTTP\/1\.\d 1(?!01)\d\d/;
const STATUS = 'HTTP/1.1 100';

/** Longest head of an interim answer: that of undici. */
const HEAD_LIMIT = 16_384;

/** A client has to skip interim answers (RFC 9110, 15.2); undici ends the connection at 100. Requests must not be pipelined. */
function skipInterimAnswers(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...connected) => {
      const [, socket] = connected;
      if (socket && !('alpnProtocol' in socket && socket.alpnProtocol === 'h2')) leaveInterimOut(socket);
      callback(...connected);
    });
}

/** An answer begins with the first bytes after the request was written, which undici does at once. */
function leaveInterimOut(socket: Socket): void {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  let isDue = false;
  let kept: Buffer = Buffer.alloc(0);

  socket.write = (...given: unknown[]) => {
    isDue = true;
    return write(...given);
  };
  socket.read = (size?: number) => {
    for (;;) {
      const chunk: Buffer | null = read(size);
      if (chunk === null || !isDue) return chunk;
      kept = withoutInterim(Buffer.concat([kept, chunk]));
      if (kept.length === 0 || isUndecided(kept)) continue;
      const answer = kept;
      isDue = false;
      kept = Buffer.alloc(0);
      return answer;
    }
  };
}

function withoutInterim(bytes: Buffer): Buffer {
  let rest = bytes;
  for (;;) {
    const [skipped] = INTERIM.exec(rest.toString('latin1', 0, HEAD_LIMIT)) ?? [];
    if (!skipped) return rest;
    rest = rest.subarray(skipped.length);
  }
}

function isUndecided(bytes: Buffer): boolean {
  const begun = bytes.toString('latin1', 0, STATUS.length);
  if (begun.length < STATUS.length) return STATUS.startsWith(begun.slice(0, 'HTTP/1.'.length));
  return BEGUN.test(begun) && bytes.length < HEAD_LIMIT;
}

export interface AgentOptions {
  readonly proxies?: Proxies | undefined;
  readonly connect?: buildConnector.connector;
  readonly tls?: buildConnector.BuildOptions;
  /** Rejects if a proxy must not be asked for a host. */
  readonly admit?: (hostname: string) => Promise<void>;
  /** 0 opens a connection for each request. */
  readonly pipelining?: number;
}

/** Greatest age of a connection: a server may move while that of before goes on answering. */
const OLDEST_MS = 30_000;

const TUNNEL_MS = 10_000;

export function createAgent({ proxies, connect = buildConnector(connecting), ...options }: AgentOptions = {}): Agent {
  return new Agent({
    connect: skipInterimAnswers(connect),
    ...(options.pipelining !== undefined && { pipelining: options.pipelining }),
    factory(origin, given) {
      const proxy = proxyOf(origin, proxies);
      if (proxy) return createProxyAgent(proxy, new URL(origin).hostname, options);
      return new Pool(origin, { ...given, clientTtl: OLDEST_MS });
    },
  });
}

/** https goes through a tunnel, http is forwarded. */
function createProxyAgent(
  proxy: URL,
  hostname: string,
  { tls, admit = async () => {}, pipelining }: Omit<AgentOptions, 'proxies' | 'connect'>,
): ProxyAgent {
  return new ProxyAgent({
    uri: proxy.href,
    proxyTls: { ...connecting, allowH2: false },
    ...(tls && { requestTls: tls }),
    clientFactory: (origin, given) => new Pool(origin, { ...skippingInterim(given), headersTimeout: TUNNEL_MS }),
    // Makes the connections to the server, or those over which the proxy forwards.
    factory(origin, given) {
      const { connect } = skippingInterim(given);
      const admitted: buildConnector.connector = (target, callback) => {
        admit(hostname).then(
          () => connect(target, callback),
          (error: Error) => callback(error, null),
        );
      };
      return new Pool(origin, {
        ...given,
        clientTtl: OLDEST_MS,
        ...(pipelining !== undefined && { pipelining }),
        connect: admitted,
      });
    },
  });
}

function skippingInterim(given: object) {
  const { connect } = given as { readonly connect: buildConnector.connector };
  return { ...given, connect: skipInterimAnswers(connect) };
}

/** undici's words for what a proxy answered to a CONNECT, or in place of the server. */
const PROXY_ANSWER = /^Proxy (?:response|Authentication Required) \((\d{3})\)/;

export function proxyAnswer(error: unknown): string | undefined {
  const [, status] = (error instanceof errors.UndiciError && PROXY_ANSWER.exec(error.message)) || [];
  return status && `the proxy answered ${status}`;
}
