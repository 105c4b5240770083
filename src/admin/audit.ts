import type { FastifyRequest } from 'fastify';
import type { Actor, AuditedAttempt, AuditOutcome } from '../domain/audit.ts';
import { statusOf } from '../http/problem.ts';
import type { Logger } from '../observability/logger.ts';
import { callerOf } from './access.ts';

/** Log of everything that people changed. */
export interface AuditLog {
  /** Writes durably that an action begins; returns the id of its entry. */
  begin(attempt: AuditedAttempt): Promise<number>;
  /** Writes durably that an action began at a time, once for each action, target and time. Its end is not logged. */
  note(attempt: AuditedAttempt & { readonly at: number }): Promise<void>;
  finish(id: number, end: { readonly outcome: AuditOutcome; readonly detail: string | null }): Promise<void>;
}

/** Header by which a client names the operator who uses it. */
export const OPERATOR_HEADER = 'x-operator';

/** Returns who sends a request. */
export function actorOf(request: FastifyRequest): Actor {
  const name = request.headers[OPERATOR_HEADER];
  const operator = typeof name === 'string' && /^[\w.@-]{1,100}$/.test(name) ? name : null;
  return { token: callerOf(request).name, operator };
}

/** Names an actor in a text, such as `ana (support)`. */
export const describeActor = ({ token, operator }: Actor): string =>
  operator === null ? token : `${operator} (${token})`;

/** Does something after the log says that it begins, and then logs how it ended. `describe` adds a detail, which must not name people. */
type Audited = <T>(
  attempt: AuditedAttempt,
  act: () => Promise<T>,
  describe?: (result: T) => string | null,
) => Promise<T>;

/** Creates audited actions: without an entry nothing is done. */
export function createAudited(log: AuditLog, logger: Pick<Logger, 'warn'>): Audited {
  return async (attempt, act, describe = () => null) => {
    const id = await log.begin(attempt);
    const finish = (outcome: AuditOutcome, detail: string | null) =>
      // It is done all the same.
      log.finish(id, { outcome, detail }).catch((err) => logger.warn({ err, id }, 'cannot log how an action ended'));
    try {
      const result = await act();
      await finish('done', describe(result));
      return result;
    } catch (error) {
      const isRefusal = statusOf(error) < 500;
      await finish(isRefusal ? 'refused' : 'failed', isRefusal ? (error as Error).message : null);
      throw error;
    }
  };
}
