import type { PathName } from '../../domain/catalogue/paths.ts';
import { DocklineError } from '../../domain/errors.ts';
import { createAgent } from '../../http/agent.ts';
import type { Proxies } from '../../http/proxies.ts';
import { type Read, readAnswer } from './answer.ts';
import { createPace } from './pace.ts';
import { refusalOf } from './refusal.ts';
import { createTokens, type TokenOptions } from './token.ts';
import { type Answer, createTransport } from './transport.ts';

/** Addresses and credential. */
export interface ApiOptions extends Omit<TokenOptions, 'send' | 'onRequested'> {
  readonly baseUrl: string;
  /** Timeout of one exchange, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum number of GETs per second. */
  readonly callsPerSecond: number;
  readonly observer?: ApiObserver | undefined;
  readonly proxies?: Proxies | undefined;
}

/** Receives what a client of the API does. Times are in milliseconds. */
export interface ApiObserver {
  /** Notified of each GET; the status is null if there was no answer. */
  called(call: { readonly operation: PathName; readonly status: number | null; readonly ms: number }): void;
  /** Notified of each wait for the rate limit. */
  waited(ms: number): void;
  /** Notified of each request for a token. */
  tokenRequested(outcome: 'obtained' | 'failed'): void;
}

/** Receives the status of each answer to a GET, and its duration from sending, in milliseconds. */
export type OnAnswer = (answer: { readonly status: number; readonly ms: number }) => void;

/** Options of one GET. */
interface GetOptions {
  /** Name of its path, for observers. */
  readonly operation: PathName;
  readonly onAnswer?: OnAnswer;
  /** Timeout of the exchange, in milliseconds. Default: that of the API. */
  readonly timeoutMs?: number | undefined;
}

/** Performs an authenticated GET. Returns the value that is read from an answer that proves itself, and the JSON text as it came. */
export type Get = <T>(
  path: string,
  read: Read<T>,
  signal: AbortSignal,
  options: GetOptions,
) => Promise<{ readonly value: T; readonly body: string }>;

/** Authenticated GETs. */
export interface Api {
  readonly get: Get;
  /** Returns the number of GETs sent, without token requests. */
  calls(): number;
  /** Reports whether the rate allows this many GETs now. */
  isFree(calls: number): boolean;
  close(): Promise<void>;
}

/** Creates a client of the API at `baseUrl`. It repeats a GET only after a 401, once, with a renewed token. */
export function createApi(options: ApiOptions): Api {
  const { baseUrl, authUrl, timeoutMs, observer, proxies } = options;
  const way = { timeoutMs, proxies, dispatcher: createAgent({ proxies }) };
  const send = createTransport({ ...way, baseUrl });
  const tokens = createTokens({
    ...options,
    send: createTransport({ ...way, baseUrl: authUrl }),
    onRequested: observer?.tokenRequested,
  });
  const pace = createPace(options.callsPerSecond);
  let calls = 0;

  async function attempt(
    path: string,
    token: string,
    signal: AbortSignal,
    { operation, onAnswer, timeoutMs: limitMs }: GetOptions,
  ): Promise<Answer> {
    const askedAt = performance.now();
    await pace.next(signal);
    calls += 1;
    const startedAt = performance.now();
    observer?.waited(startedAt - askedAt);
    const since = () => performance.now() - startedAt;
    const headers = { accept: 'application/hal+json', authorization: `Bearer ${token}` };
    const answer = await send({ method: 'GET', path, headers, signal, timeoutMs: limitMs }).catch((error: unknown) => {
      observer?.called({ operation, status: null, ms: since() });
      throw error;
    });
    observer?.called({ operation, status: answer.status, ms: since() });
    onAnswer?.({ status: answer.status, ms: Math.round(since()) });
    return answer;
  }

  async function tryToken(path: string, signal: AbortSignal, options: GetOptions): Promise<Answer> {
    const token = await tokens.current(signal);
    try {
      const answer = await attempt(path, token, signal, options);
      if (answer.status === 401) tokens.drop(token);
      return answer;
    } catch (error) {
      if (error instanceof DocklineError && error.code === 'ERR_WAREHOUSE_TOKEN') tokens.drop(token);
      throw error;
    }
  }

  async function authenticated(path: string, signal: AbortSignal, options: GetOptions): Promise<Answer> {
    const first = await tryToken(path, signal, options);
    const answer = first.status === 401 ? await tryToken(path, signal, options) : first;
    if (answer.status !== 401) return answer;
    // Another client of the same credential may have revoked it meanwhile.
    throw refusalOf({ method: 'GET', path }, answer, 'ERR_WAREHOUSE_TOKEN', ' to a new token');
  }

  return {
    async get(path, read, signal, options) {
      const answer = await authenticated(path, signal, options);
      return { value: readAnswer({ method: 'GET', path }, answer, read), body: answer.text };
    },
    calls: () => calls,
    isFree: pace.isFree,
    close: () => way.dispatcher.close(),
  };
}
