import type { PathName } from '../../domain/catalogue/operation.ts';
import { DocklineError } from '../../domain/errors.ts';
import { rankOf } from '../../domain/priority.ts';
import { createAgent } from '../../http/agent.ts';
import type { Proxies } from '../../http/proxies.ts';
import type { Urgency, WarehouseAnswer } from '../gets.ts';
import { type Read, readAnswer, refusalOf } from './answer.ts';
import { createPace, type Pace, TurnExpired } from './pace.ts';
import { createTokens, type TokenOptions } from './token.ts';
import { type Answer, createTransport } from './transport.ts';

export interface ApiOptions extends Omit<TokenOptions, 'send'> {
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly callsPerSecond: number;
  /** Rate limit shared with other clients of the same warehouse. */
  readonly pace?: Pace | undefined;
  readonly observer?: ApiObserver | undefined;
  readonly proxies?: Proxies | undefined;
}

export interface ApiObserver {
  called(call: { readonly operation: PathName; readonly status: number | null; readonly ms: number }): void;
  waited(ms: number): void;
}

export type OnAnswer = (answer: WarehouseAnswer) => void;

export interface GetOptions extends Omit<Urgency, 'known'> {
  readonly onAnswer?: OnAnswer | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface Resource {
  readonly operation: PathName;
  readonly path: string;
}

/** Performs an authenticated GET. Returns what is read from an answer that proves itself, and its JSON text. */
export type Get = <T>(
  path: string,
  read: Read<T>,
  signal: AbortSignal,
  options: GetOptions & Pick<Resource, 'operation'>,
) => Promise<{ readonly value: T; readonly body: string }>;

export type Api = ReturnType<typeof createApi>;

/** Repeats a GET only after a 401, once, with a renewed token. */
export function createApi(options: ApiOptions) {
  const { baseUrl, authUrl, timeoutMs, observer, proxies } = options;
  const way = { timeoutMs, proxies, dispatcher: createAgent({ proxies }) };
  const send = createTransport({ ...way, baseUrl });
  const tokens = createTokens({
    ...options,
    send: createTransport({ ...way, baseUrl: authUrl }),
  });
  const { pace = createPace({ perSecond: options.callsPerSecond }) } = options;
  let calls = 0;

  /** Times are those of its beginning; it may have waited for a connection. */
  async function attempt(choose: () => Resource, token: string, signal: AbortSignal, options: GetOptions) {
    const askedAt = performance.now();
    const asked = rankOf('event');
    const { rank = () => asked, withinMs = PATIENCE_MS, onAnswer } = options;
    const turn = await pace.next({ signal, rank, withinMs });
    const { operation, path } = choose();
    let begunAt = performance.now();
    let startedAt = Date.now();
    const onBegin = () => {
      turn.begin();
      [begunAt, startedAt] = [performance.now(), Date.now()];
      calls += 1;
      observer?.waited(begunAt - askedAt);
      options.onBegin?.(startedAt);
    };
    const since = () => performance.now() - begunAt;
    const headers = { accept: 'application/hal+json', authorization: `Bearer ${token}` };
    try {
      const answer = await send({ method: 'GET', path, headers, signal, timeoutMs: options.timeoutMs, onBegin });
      turn.answered();
      observer?.called({ operation, status: answer.status, ms: since() });
      onAnswer?.({ status: answer.status, ms: Math.round(since()), startedAt });
      return answer;
    } catch (error) {
      if (!isExpired(error)) observer?.called({ operation, status: null, ms: since() });
      throw error;
    } finally {
      turn.end();
    }
  }

  /** Asks for another turn if this process was stalled and others may have had the first. */
  async function inTurn(...given: Parameters<typeof attempt>): Promise<Answer> {
    for (;;) {
      try {
        return await attempt(...given);
      } catch (error) {
        if (!isExpired(error)) throw error;
      }
    }
  }

  async function tryToken(choose: () => Resource, signal: AbortSignal, options: GetOptions): Promise<Answer> {
    const token = await tokens.current(signal);
    try {
      const answer = await inTurn(choose, token, signal, options);
      if (answer.status === 401) tokens.drop(token);
      return answer;
    } catch (error) {
      if (error instanceof DocklineError && error.code === 'ERR_WAREHOUSE_TOKEN') tokens.drop(token);
      throw error;
    }
  }

  /** GETs what is chosen when its turn comes; again if it is repeated. Returns whatever was answered but 401. */
  async function exchange(choose: () => Resource, signal: AbortSignal, options: GetOptions): Promise<Answer> {
    const first = await tryToken(choose, signal, options);
    const answer = first.status === 401 ? await tryToken(choose, signal, options) : first;
    if (answer.status !== 401) return answer;
    // Another client of the same credential may have revoked it meanwhile.
    throw refusalOf({ method: 'GET', path: choose().path }, answer, 'ERR_WAREHOUSE_TOKEN', ' to a new token');
  }

  const get: Get = async (path, read, signal, { operation, ...options }) => {
    const answer = await exchange(() => ({ operation, path }), signal, options);
    return { value: readAnswer({ method: 'GET', path }, answer, read), body: answer.text };
  };

  return { exchange, get, calls: () => calls, pace, close: () => way.dispatcher.close() };
}

/** Longest wait of a GET for its turn; an activity that waits takes the place of others. */
export const PATIENCE_MS = 60_000;

const isExpired = (error: unknown): boolean => error instanceof DocklineError && error.cause instanceof TurnExpired;
