import { addAbortListener } from 'node:events';
import { z } from 'zod';
import { readResource } from '../resources/resource.ts';
import { explainTokenRefusal, isSuccess, refusalOf } from './refusal.ts';
import type { Target, Transport } from './transport.ts';

/** Credential, and transport to the token server. */
export interface TokenOptions {
  readonly send: Transport;
  /** Address of the token server, which messages name. */
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly userLogin: string;
  /** Warehouse tenant; only for a single-tenant dynamic credential. */
  readonly tpl?: string | undefined;
  /** Path of the token endpoint. */
  readonly tokenPath: string;
  /** Returns the time, in milliseconds since the epoch. */
  readonly now?: () => number;
  /** Notified of each request for a token. */
  readonly onRequested?: ((outcome: 'obtained' | 'failed') => void) | undefined;
}

/** Clients renew their token no less than every 30 minutes (specification 5.3). */
const RENEWAL_LIMIT_MS = 30 * 60_000;

/**
 * Creates the bearer tokens of one credential, obtained by client_credentials (specification 2.1, 2.2, 4.1, 5) and cached in memory:
 * all callers share one token request. Renews them after 80 % of `expires_in` or 30 minutes, whichever is earlier. A refusal is `ERR_WAREHOUSE_UNAUTHENTICATED`.
 */
export function createTokens({ now = Date.now, onRequested, ...options }: TokenOptions) {
  let held: { readonly value: string; readonly renewAt: number } | undefined;
  let request: Promise<string> | undefined;

  async function obtain(): Promise<string> {
    const askedAt = now();
    const { access_token: value, expires_in } = await requestToken(options).catch((error: unknown) => {
      onRequested?.('failed');
      throw error;
    });
    onRequested?.('obtained');
    held = { value, renewAt: askedAt + renewalMs(expires_in) };
    return value;
  }

  /** Returns a token that is not due for renewal. The signal ends the wait of this caller only. */
  async function current(signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    if (held && now() < held.renewAt) return held.value;
    request ??= obtain().finally(() => {
      request = undefined;
    });
    return unlessAborted(request, signal);
  }

  return {
    current,
    /** Returns a token other than the one that was answered with 401. */
    async replace(rejected: string, signal: AbortSignal) {
      if (held?.value === rejected) held = undefined;
      return current(signal);
    },
  };
}

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.unknown().optional() });

/** Returns the address of token requests, without credentials. */
export function tokenUrl(authUrl: string, path: string): string {
  const { origin, pathname } = new URL(authUrl);
  return origin + pathname.replace(/\/+$/, '') + path;
}

async function requestToken({
  send,
  authUrl,
  tokenPath: path,
  ...credential
}: Omit<TokenOptions, 'now' | 'onRequested'>) {
  const { clientId, clientSecret, userLogin, tpl } = credential;
  const target: Target = { method: 'POST', path, url: tokenUrl(authUrl, path) };
  const answer = await send({
    ...target,
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/json; charset=utf-8',
      accept: 'application/json',
    },
    body: JSON.stringify({ grant_type: 'client_credentials', user_login: userLogin, tpl }),
  });
  if (isSuccess(answer)) return readResource(tokenAnswer, target, answer.text);
  const isTemporary = answer.status === 429 || answer.status >= 500;
  if (isTemporary) throw refusalOf(target, answer);
  throw refusalOf(target, answer, 'ERR_WAREHOUSE_UNAUTHENTICATED', `: ${explainTokenRefusal(authUrl, answer)}`);
}

/** Treats an unreadable lifetime as a long one: a token that expires sooner is answered with 401 and replaced. */
function renewalMs(expiresIn: unknown): number {
  const seconds = Number(expiresIn);
  return seconds > 0 ? Math.min(seconds * 800, RENEWAL_LIMIT_MS) : RENEWAL_LIMIT_MS;
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  using _listener = addAbortListener(signal, () => reject(signal.reason));
  return await Promise.race([promise, aborted]);
}
