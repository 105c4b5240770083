import type { Operation } from '../domain/catalogue/operation.ts';
import { type DocklineError, failures } from '../domain/errors.ts';
import type { Identity } from '../domain/routing.ts';

const FAILURES = 3;

const COOLDOWN_MS = 5000;

interface State {
  readonly failures: number;
  readonly openUntil: number;
  readonly failure?: DocklineError;
}

export type Breaker = ReturnType<typeof createBreaker>;

/** Calls that are left out for a while: of an operation, or all retrievals or announcements to a destination in a workflow's own task. */
interface Circuit {
  readonly tenant: string;
  readonly operation: Operation | 'retrieve' | `announce to ${Identity}`;
}

/**
 * A circuit breaker for each tenant and operation, in this process. A missing role or a `Retry-After` opens it at once,
 * three other failures in a row for five seconds. For what is done in a workflow's own task one failure is enough.
 */
export function createBreaker({
  slowMs,
  retryAfterCapMs,
  now = () => performance.now(),
}: {
  readonly slowMs: number;
  readonly retryAfterCapMs: number;
  readonly now?: () => number;
}) {
  const states = new Map<string, State>();
  const keyOf = ({ tenant, operation }: Circuit) => `${operation} ${tenant}`;
  const isOpen = (circuit: Circuit): boolean => now() < (states.get(keyOf(circuit))?.openUntil ?? 0);
  return {
    isOpen,
    reason(circuit: Circuit): string | undefined {
      const { failure } = states.get(keyOf(circuit)) ?? {};
      // Its own words name the record that failed, which may be of another customer.
      return isOpen(circuit) ? `not called, because a moment ago ${describe(circuit, failure)}` : undefined;
    },
    open: (circuit: Circuit): void => void states.set(keyOf(circuit), { failures: 0, openUntil: now() + COOLDOWN_MS }),
    /** Reports whether the operation is not to be called for a while. */
    failed(circuit: Circuit, failure: DocklineError): boolean {
      const { code, retryAfterMs } = failure;
      const known = states.get(keyOf(circuit));
      // One GET that several asked for fails once.
      if (known?.failure === failure) return now() < known.openUntil;
      const count = (known?.failures ?? 0) + 1;
      const ownMs = failures[code] === 'slowly' ? slowMs : count >= FAILURES ? COOLDOWN_MS : 0;
      const openMs = Math.max(ownMs, Math.min(retryAfterMs ?? 0, retryAfterCapMs));
      states.set(keyOf(circuit), { failures: count, openUntil: now() + openMs, failure });
      return openMs > 0;
    },
    succeeded: (circuit: Circuit): void => void states.delete(keyOf(circuit)),
  };
}

const describe = ({ operation }: Circuit, failure: DocklineError | undefined): string =>
  failure?.status === undefined ? `another ${operation} failed` : `another ${operation} was answered ${failure.status}`;
