import { Agent } from 'undici';
import { DocklineError, reasonOf } from '../domain/errors.ts';
import { requestTwice } from '../http/request-twice.ts';
import type { ModedMessage } from './binary-mode.ts';
import { createGuard, createGuardedConnector } from './guard.ts';

/** Address, and limits of what is sent there. */
export interface PostOptions {
  /** https, or http on loopback. */
  readonly url: string;
  /** Timeout of one attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** Internal addresses that are allowed nevertheless: addresses or CIDR ranges. */
  readonly allowedAddresses: readonly string[];
}

/** Ends of an attempt: a signal that aborts it, whose reason is then the failure, and its timeout. */
interface Limits {
  readonly signal: AbortSignal;
  readonly timeout: AbortSignal;
}

/** Answer of the server, whatever its status. */
interface Answer {
  readonly status: number;
  readonly retryAfter: string | string[] | undefined;
}

/**
 * Creates the POST to an address, of which it sees to it that it may be reached. Redirects are not followed; a message may arrive twice.
 * Failures are `ERR_DESTINATION_UNREACHABLE` and `_ADDRESS`.
 */
export function createPost({ url, timeoutMs, allowedAddresses }: PostOptions) {
  const { origin, pathname, search } = new URL(url);
  const connect = createGuardedConnector(createGuard(url, allowedAddresses));
  const dispatchers = { kept: new Agent({ connect }), fresh: new Agent({ connect, pipelining: 0 }) };

  return {
    async post(message: ModedMessage, { signal, timeout }: Limits): Promise<Answer> {
      const target = { origin, path: pathname + search, method: 'POST', ...message } as const;
      try {
        const answer = await requestTwice(dispatchers, { ...target, signal: AbortSignal.any([signal, timeout]) });
        // The status has decided already: a body that breaks off must not cause another attempt.
        await answer.body.dump().catch(() => undefined);
        return { status: answer.statusCode, retryAfter: answer.headers['retry-after'] };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof DocklineError) throw error;
        const reason = timeout.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error);
        throw new DocklineError('ERR_DESTINATION_UNREACHABLE', `POST ${origin} failed: ${reason}`, { cause: error });
      }
    },
    async close() {
      await Promise.all(Object.values(dispatchers).map((dispatcher) => dispatcher.close()));
    },
  };
}
