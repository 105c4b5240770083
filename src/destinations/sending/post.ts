import { DocklineError, reasonOf } from '../../domain/errors.ts';
import type { Exchange } from '../../domain/exchange.ts';
import type { Tls } from '../../forms/pem-files.ts';
import { createAgent, proxyAnswer } from '../../http/agent.ts';
import { proxyOf, throughProxy } from '../../http/proxies.ts';
import { requestTwice } from '../../http/request-twice.ts';
import type { DestinationContext } from '../kinds/kind.ts';
import { firstBytes } from './first-bytes.ts';
import { createGuard, createGuardedConnector, createHostCheck } from './guard.ts';
import { createMask } from './masked-headers.ts';

/** Address, and limits of what is sent there. */
export interface PostOptions extends Pick<DestinationContext, 'proxies' | 'timeoutMs' | 'allowedAddresses'> {
  readonly url: string;
  /** Headers of the destination's own, in lower case, whose values are secret. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly tls?: Tls | undefined;
}

/** Body of a POST, with its headers. */
export interface HttpMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Ends of an attempt: a signal that aborts it, whose reason is then the failure, and its timeout. */
interface Limits {
  readonly signal: AbortSignal;
  readonly timeout: AbortSignal;
}

/** Answer of the server, whatever its status. */
interface Answer {
  readonly status: number;
  readonly exchange: Exchange;
  readonly retryAfter: string | string[] | undefined;
}

/**
 * Creates the POST to an address, of which it sees to it that it may be reached. Redirects are not followed; a message may arrive twice.
 * Failures are `ERR_DESTINATION_UNREACHABLE` and `_ADDRESS`.
 */
export function createPost({ url, headers, timeoutMs, allowedAddresses, tls, proxies }: PostOptions) {
  const { origin, pathname, search } = new URL(url);
  const guard = createGuard(url, allowedAddresses);
  const options = {
    proxies,
    tls: { ...tls, allowH2: false },
    connect: createGuardedConnector(guard, tls),
    admit: createHostCheck(guard),
  };
  const mask = createMask(headers);
  const dispatchers = { kept: createAgent(options), fresh: createAgent({ ...options, pipelining: 0 }) };
  const name = `POST ${origin}${throughProxy(proxyOf(url, proxies))}`;

  return {
    /** Names the request in messages, and the proxy that it goes through. */
    name,
    async post(message: HttpMessage, { signal, timeout }: Limits): Promise<Answer> {
      const target = { origin, path: pathname + search, method: 'POST', ...message } as const;
      const requestHeaders = mask(message.headers);
      try {
        const answer = await requestTwice(dispatchers, { ...target, signal: AbortSignal.any([signal, timeout]) });
        const status = answer.statusCode;
        const exchange = { requestHeaders, status, answer: await firstBytes(answer.body) };
        return { status, exchange, retryAfter: answer.headers['retry-after'] };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof DocklineError) throw error;
        const reason = timeout.aborted ? `no answer within ${timeoutMs} ms` : (proxyAnswer(error) ?? reasonOf(error));
        const exchange = { requestHeaders, status: null, answer: null };
        throw new DocklineError('ERR_DESTINATION_UNREACHABLE', `${name} failed: ${reason}`, { cause: error, exchange });
      }
    },
    async close() {
      await Promise.all(Object.values(dispatchers).map((dispatcher) => dispatcher.close()));
    },
  };
}
