import type { ActivityDeps, Breaker } from '../../activities/ports/deps.ts';
import { failures } from '../domain/errors.ts';

/** Consecutive failures after which an operation is out of order, not only unlucky. */
const FAILURES = 3;

/** Time for which an operation that is out of order is left alone, in milliseconds. */
const COOLDOWN_MS = 5000;

/**
 * Creates a circuit breaker for each tenant and operation, in this process. A missing role opens it at once, until a person may have acted;
 * other failures open it for five seconds once three came in a row; a `Retry-After` opens it at once, and for longer if it asks for longer.
 */
export function createBreaker({
  slowMs,
  retryAfterCapMs,
  now = () => performance.now(),
}: ActivityDeps['retry'] & {
  /** Returns the time in milliseconds, of a clock that nobody sets. */
  readonly now?: () => number;
}): Breaker {
  const states = new Map<string, { readonly failures: number; readonly openUntil: number; readonly reason: string }>();
  const keyOf = ({ tenant, operation }: Parameters<Breaker['reason']>[0]) => `${operation} ${tenant}`;
  return {
    reason(circuit) {
      const { openUntil = 0, reason } = states.get(keyOf(circuit)) ?? {};
      return now() < openUntil ? `not called, because a moment ago ${reason}` : undefined;
    },
    failed(circuit, { code, message, retryAfterMs }) {
      const count = (states.get(keyOf(circuit))?.failures ?? 0) + 1;
      const ownMs = failures[code] === 'slowly' ? slowMs : count >= FAILURES ? COOLDOWN_MS : 0;
      const openMs = Math.max(ownMs, Math.min(retryAfterMs ?? 0, retryAfterCapMs));
      states.set(keyOf(circuit), { failures: count, openUntil: now() + openMs, reason: message });
      return openMs > 0;
    },
    succeeded: (circuit) => void states.delete(keyOf(circuit)),
  };
}
