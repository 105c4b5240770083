import type { Operation } from '../domain/catalogue/operation.ts';
import { type DocklineError, failures } from '../domain/errors.ts';

/** Consecutive failures after which an operation is out of order, not only unlucky. */
const FAILURES = 3;

/** Time for which an operation that is out of order is left alone, in milliseconds. */
const COOLDOWN_MS = 5000;

interface State {
  readonly failures: number;
  readonly openUntil: number;
  readonly reason: string;
  readonly failure: DocklineError;
}

/** Circuit breaker: an operation that fails for every subject is left out without asking for each of them. */
export type Breaker = ReturnType<typeof createBreaker>;

/** Operation of one tenant's warehouse. */
interface Circuit {
  readonly tenant: string;
  readonly operation: Operation;
}

/**
 * Creates a circuit breaker for each tenant and operation, in this process. A missing role opens it at once, until a person may have acted;
 * other failures open it for five seconds once three came in a row; a `Retry-After` opens it at once, and for longer if it asks for longer.
 */
export function createBreaker({
  slowMs,
  retryAfterCapMs,
  now = () => performance.now(),
}: {
  readonly slowMs: number;
  readonly retryAfterCapMs: number;
  /** Returns the time in milliseconds, of a clock that nobody sets. */
  readonly now?: () => number;
}) {
  const states = new Map<string, State>();
  const keyOf = ({ tenant, operation }: Circuit) => `${operation} ${tenant}`;
  return {
    /** Returns why an operation is not to be called now; undefined if it may be. */
    reason(circuit: Circuit): string | undefined {
      const { openUntil = 0, reason } = states.get(keyOf(circuit)) ?? {};
      return now() < openUntil ? `not called, because a moment ago ${reason}` : undefined;
    },
    /** Notes a failure; reports whether the operation is not to be called for a while. */
    failed(circuit: Circuit, failure: DocklineError): boolean {
      const { code, message, retryAfterMs } = failure;
      const known = states.get(keyOf(circuit));
      // One GET that several asked for fails once.
      if (known?.failure === failure) return now() < known.openUntil;
      const count = (known?.failures ?? 0) + 1;
      const ownMs = failures[code] === 'slowly' ? slowMs : count >= FAILURES ? COOLDOWN_MS : 0;
      const openMs = Math.max(ownMs, Math.min(retryAfterMs ?? 0, retryAfterCapMs));
      states.set(keyOf(circuit), { failures: count, openUntil: now() + openMs, reason: message, failure });
      return openMs > 0;
    },
    succeeded: (circuit: Circuit): void => void states.delete(keyOf(circuit)),
  };
}
