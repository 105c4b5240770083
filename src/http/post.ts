import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { DocklineError, reasonOf } from '../domain/errors.ts';
import type { Tls } from '../forms/files.ts';
import { createAgent, proxyAnswer } from './agent.ts';
import { createGuard, createGuardedConnector, createHostCheck } from './guard.ts';
import { type Proxies, proxyOf, throughProxy } from './proxies.ts';

interface Dispatchers {
  readonly kept: Dispatcher;
  /** An `Agent` with `pipelining: 0`: a connection for each request. */
  readonly fresh: Dispatcher;
}

/** Sends again, on a new connection, if its own ended before an answer began (servers close kept ones) or led to another server. */
export async function requestTwice(
  { kept, fresh }: Dispatchers,
  options: Dispatcher.RequestOptions,
): Promise<Dispatcher.ResponseData> {
  try {
    const answer = await kept.request(options);
    if (!ELSEWHERE.has(answer.statusCode)) return answer;
    // Closes the connection, over which nothing else is to go.
    answer.body.on('error', () => undefined).destroy();
  } catch (error) {
    if (!ENDINGS.has(codeOf(error))) throw error;
  }
  return await fresh.request(options);
}

/** A kept connection may lead to where its name led before. */
const ELSEWHERE: ReadonlySet<number> = new Set([404, 410, 421]);

/** The connection ended; not: it could not be made, or no HTTP came over it. */
const ENDINGS: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'ECONNABORTED', 'EPIPE']);

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Route and limits of requests to other systems. */
export interface Reach {
  readonly proxies?: Proxies | undefined;
  /** Limit of one attempt. */
  readonly timeoutMs: number;
  /** Internal ones that may be reached: addresses or CIDR ranges. */
  readonly allowedAddresses: readonly string[];
}

export interface PostOptions extends Reach {
  readonly url: string;
  /** Lower case; values are secret. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly tls?: Tls | undefined;
}

interface HttpMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The reason of `signal` is then the failure. */
interface Limits {
  readonly signal: AbortSignal;
  readonly timeout: AbortSignal;
}

/** Redirects are not followed; a message may arrive twice. Failures are `ERR_DESTINATION_UNREACHABLE` and `_ADDRESS`. */
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
    name,
    async post(message: HttpMessage, { signal, timeout }: Limits) {
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

const MASK = '***';

/** Secret wherever they come from. */
const SECRET: readonly string[] = ['authorization', 'webhook-signature'];

/** Not secret, though a destination's own. */
const PLAIN = 'content-type';

function createMask(own: Readonly<Record<string, string>> = {}) {
  const secret = new Set([...SECRET, ...Object.keys(own).filter((name) => name !== PLAIN)]);
  return (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, secret.has(name) ? MASK : value]));
}

/** Bytes of an answer that are kept. */
const KEPT = 1024;

/** For the body of an answer: its status has decided, and others wait. */
const PATIENCE_MS = 250;

interface AnswerBody extends Readable {
  dump(): Promise<void>;
}

/** Reads the rest of a moderate body, so that its connection can be reused; gives up a slow one. Null without a body. */
async function firstBytes(body: AnswerBody): Promise<Uint8Array | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  const patience = setTimeout(() => body.destroy(), PATIENCE_MS);
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk);
      length += chunk.byteLength;
      if (length >= KEPT) break;
    }
    await body.dump();
  } catch {
    // A body that breaks off must not cause another attempt.
  } finally {
    clearTimeout(patience);
  }
  return length === 0 ? null : Buffer.concat(chunks, Math.min(length, KEPT));
}
