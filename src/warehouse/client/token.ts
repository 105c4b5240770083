import { createHash, createSecretKey, hkdfSync } from 'node:crypto';
import { readerOf } from '../../base/json.ts';
import { createSealing } from '../../base/sealing.ts';
import { DocklineError } from '../../domain/errors.ts';
import { readNumber } from '../../domain/wire-values.ts';
import type { TokenStore } from '../tables/tokens.ts';
import { explainTokenRefusal, readAnswer, refusalOf, UnprovenAnswer } from './answer.ts';
import { Flights } from './flight.ts';
import type { Target, Transport } from './transport.ts';

interface Credential {
  /** Messages name it. */
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly userLogin: string;
  /** Only for a single-tenant dynamic credential. */
  readonly tpl?: string | undefined;
}

export interface TokenOptions extends Credential {
  readonly send: Transport;
  readonly tokenPath: string;
  readonly now?: () => number;
  readonly shared?: ReturnType<typeof createSharedToken> | undefined;
}

interface Token {
  readonly value: string;
  readonly forMs: number;
}

/** Clients renew their token no less than every 30 minutes (specification 5.3). */
const RENEWAL_LIMIT_MS = 30 * 60_000;

/**
 * Bearer tokens of one credential by client_credentials (specification 2.1, 2.2, 4.1, 5), cached in memory: all callers
 * share one request. Renewed after 80 % of `expires_in` or 30 minutes. Fails with `ERR_WAREHOUSE_UNAUTHENTICATED` for a
 * refused credential, or else `ERR_WAREHOUSE_TOKEN`.
 */
export function createTokens({ now = performance.now.bind(performance), shared, ...options }: TokenOptions) {
  let held: { readonly value: string; readonly renewAt: number } | undefined;
  let rejected: string | undefined;
  const requests = new Flights();

  async function obtain(): Promise<string> {
    const found = await shared?.find();
    const isUsable = found !== undefined && found.value !== rejected;
    const askedAt = now();
    const token = isUsable ? found : await requestAnew();
    held = { value: token.value, renewAt: askedAt + token.forMs };
    return token.value;
  }

  async function requestAnew(): Promise<Token> {
    const token = await requestToken(options);
    await shared?.put(token);
    return token;
  }

  /** The signal ends only this caller's wait. */
  async function current(signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    if (held && now() < held.renewAt) return held.value;
    const { value } = await requests.join(
      'token',
      { signal, rank: () => 0, withinMs: Number.POSITIVE_INFINITY },
      obtain,
    );
    return value;
  }

  return {
    current,
    /** Drops a token that was answered 401, or could not be sent. */
    drop(suspect: string) {
      rejected = suspect;
      if (held?.value === suspect) held = undefined;
    },
  };
}

/** Without credentials. */
export function tokenUrl(authUrl: string, path: string): string {
  const { origin, pathname } = new URL(authUrl);
  return origin + pathname.replace(/(?<!\/)\/+$/, '') + path;
}

async function requestToken(options: TokenOptions): Promise<Token> {
  const { send, authUrl, tokenPath: path, clientId, clientSecret, userLogin, tpl } = options;
  const target: Target = { method: 'POST', path, url: tokenUrl(authUrl, path) };
  try {
    const answer = await send({
      ...target,
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        'content-type': 'application/json; charset=utf-8',
        accept: 'application/json',
      },
      body: JSON.stringify({ grant_type: 'client_credentials', user_login: userLogin, tpl }),
    });
    const isRefusal = answer.status >= 300 && answer.status <= 499 && answer.status !== 429;
    if (!isRefusal) return readAnswer(target, answer, readToken);
    throw refusalOf(target, answer, 'ERR_WAREHOUSE_UNAUTHENTICATED', `: ${explainTokenRefusal(authUrl, answer)}`);
  } catch (error) {
    throw asTokenFailure(error);
  }
}

/** Without a token nothing can be fetched: whatever the reason, it says nothing about a record. */
function asTokenFailure(error: unknown): unknown {
  if (!(error instanceof DocklineError) || error.code === 'ERR_WAREHOUSE_UNAUTHENTICATED') return error;
  const { message, cause, retryAfterMs, status } = error;
  return new DocklineError('ERR_WAREHOUSE_TOKEN', message, { cause, retryAfterMs, status });
}

/** Bearer tokens (RFC 6750, section 2.1), and what else a header can carry. */
const USABLE = /^[\x21-\x7e]+$/;

function readToken(answer: unknown): Token {
  const read = readerOf(answer);
  const value = read('access_token');
  if (typeof value !== 'string' || value === '') throw new UnprovenAnswer('without an access_token');
  if (!USABLE.test(value)) throw new UnprovenAnswer('with an access_token that no header can carry');
  const seconds = readNumber(read('expires_in')) ?? 0;
  // An unreadable lifetime counts as long: a token that expires sooner is answered 401 and replaced.
  return { value, forMs: seconds > 0 ? Math.min(seconds * 800, RENEWAL_LIMIT_MS) : RENEWAL_LIMIT_MS };
}

/**
 * Some warehouses keep one token for each credential, so that a new one revokes that of other processes.
 * Sealed with a key that follows from the client secret: whoever reads the store learns no token. A store that
 * fails is done without.
 */
export function createSharedToken(shelf: TokenStore, credential: Credential) {
  const { authUrl, clientId, clientSecret, userLogin, tpl = '' } = credential;
  const name = createHash('sha256')
    .update(JSON.stringify([authUrl, clientId, userLogin, tpl]))
    .digest('hex');
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', clientSecret, name, 'dockline token', KEY_BYTES)));
  const sealing = createSealing([{ id: 'token', key }]);
  return {
    async find(): Promise<Token | undefined> {
      const found = await shelf.find(name).catch(() => undefined);
      const text = found && sealing.open(found.sealed, name);
      if (!found || text === undefined) return undefined;
      const token: Token = JSON.parse(text);
      const forMs = token.forMs - Math.max(0, found.ageMs);
      return forMs > 0 ? { value: token.value, forMs } : undefined;
    },
    put: (token: Token) => shelf.put(name, sealing.seal(JSON.stringify(token), name)).catch(() => undefined),
  };
}

const KEY_BYTES = 32;
