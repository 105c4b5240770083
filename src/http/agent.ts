import { Agent, buildConnector, errors, Pool, ProxyAgent } from 'undici';
import { connecting } from './lookup.ts';
import { type Proxies, proxyOf } from './proxies.ts';

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
    connect,
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
    clientFactory: (origin, given) => new Pool(origin, { ...given, headersTimeout: TUNNEL_MS }),
    // Makes the connections to the server, or those over which the proxy forwards.
    factory(origin, given) {
      const { connect } = given as { readonly connect: buildConnector.connector };
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

/** undici's words for what a proxy answered to a CONNECT, or in place of the server. */
const PROXY_ANSWER = /^Proxy (?:response|Authentication Required) \((\d{3})\)/;

export function proxyAnswer(error: unknown): string | undefined {
  const [, status] = (error instanceof errors.UndiciError && PROXY_ANSWER.exec(error.message)) || [];
  return status && `the proxy answered ${status}`;
}
