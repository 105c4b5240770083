import { Agent, type Dispatcher } from 'undici';
import type { z } from 'zod';
import { readResource } from '../resources/resource.ts';
import { createPace } from './pace.ts';
import { isSuccess, refusalOf } from './refusal.ts';
import { createTokens, type TokenOptions } from './token.ts';
import { type Answer, createTransport } from './transport.ts';

/** The addresses and the credential. */
export interface ApiOptions extends Omit<TokenOptions, 'send'> {
  readonly baseUrl: string;
  readonly authUrl: string;
  /** How long one exchange may take as a whole, in milliseconds. */
  readonly timeoutMs: number;
  /** How many GETs may begin within a second. Default: any number. */
  readonly callsPerSecond?: number;
  /** Its owner closes it; without one the client opens its own. */
  readonly dispatcher?: Dispatcher;
}

/** Told of each answer to a GET: its status, and how long it took once it was sent, in milliseconds. */
export type OnAnswer = (answer: { readonly status: number; readonly ms: number }) => void;

/** One authenticated GET: what a schema reads of the resource, and its JSON text as it came. */
export type Get = <T>(
  path: string,
  schema: z.ZodType<T>,
  signal: AbortSignal,
  onAnswer?: OnAnswer,
) => Promise<{ readonly value: T; readonly body: string }>;

/** Authenticated GETs. */
export interface Api {
  readonly get: Get;
  /** How many GETs were sent, token requests not among them. */
  calls(): number;
  /** Whether so many GETs could be sent now, none of them having to wait for its turn. */
  isFree(calls: number): boolean;
  close(): Promise<void>;
}

/** More than any process sends. */
const UNLIMITED = 10_000;

/** The API at `baseUrl`. A GET that is answered with 401 is sent once more with a renewed token, and never otherwise again. */
export function createApi(options: ApiOptions): Api {
  const { baseUrl, authUrl, timeoutMs, callsPerSecond = UNLIMITED, dispatcher = new Agent() } = options;
  const send = createTransport({ baseUrl, timeoutMs, dispatcher });
  const tokens = createTokens({ ...options, send: createTransport({ baseUrl: authUrl, timeoutMs, dispatcher }) });
  const pace = createPace(callsPerSecond);
  let calls = 0;

  async function attempt(path: string, token: string, signal: AbortSignal, onAnswer?: OnAnswer): Promise<Answer> {
    await pace.next(signal);
    calls += 1;
    const startedAt = performance.now();
    const headers = { accept: 'application/hal+json', authorization: `Bearer ${token}` };
    const answer = await send({ method: 'GET', path, headers, signal });
    onAnswer?.({ status: answer.status, ms: Math.round(performance.now() - startedAt) });
    return answer;
  }

  async function authenticated(path: string, signal: AbortSignal, onAnswer?: OnAnswer): Promise<Answer> {
    const token = await tokens.current(signal);
    const answer = await attempt(path, token, signal, onAnswer);
    return answer.status === 401 ? attempt(path, await tokens.replace(token, signal), signal, onAnswer) : answer;
  }

  return {
    async get(path, schema, signal, onAnswer) {
      const target = { method: 'GET', path } as const;
      const answer = await authenticated(path, signal, onAnswer);
      if (!isSuccess(answer)) throw refusalOf(target, answer);
      return { value: readResource(schema, target, answer.text), body: answer.text };
    },
    calls: () => calls,
    isFree: pace.isFree,
    async close() {
      if (!options.dispatcher) await dispatcher.close();
    },
  };
}
