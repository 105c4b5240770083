import type { FastifyRequest } from 'fastify';
import type { Logger } from '../base/logger.ts';
import type { Actor, AuditedAttempt, AuditOutcome } from '../domain/audit.ts';
import { callerOf } from './access.ts';
import { toProblem } from './problem.ts';

/** Log of everything that people changed. */
export interface AuditLog {
  /** Writes durably that an action begins; returns the id of its entry. */
  begin(attempt: AuditedAttempt): Promise<number>;
  /** Writes durably that an action began at a time, once for each action, target and time. Its end is not logged. */
  note(attempt: AuditedAttempt & { readonly at: number }): Promise<void>;
  /** Writes how an action ended; an outcome of null says that it has not, though nobody waits for it any longer. */
  finish(id: number, end: AuditEnd): Promise<void>;
}

/** End of an action. */
export interface AuditEnd {
  readonly outcome: AuditOutcome | null;
  readonly detail: string | null;
}

/** End of an action that was done. */
export const done = (detail: string | null): AuditEnd => ({ outcome: 'done', detail });

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

/**
 * Does something after the log says that it begins, and then logs how it ended: done, unless `describe` says otherwise. A detail must not
 * name people.
 */
type Audited = <T>(attempt: AuditedAttempt, act: () => Promise<T>, describe?: (result: T) => AuditEnd) => Promise<T>;

interface AuditedDeps {
  readonly audit: AuditLog;
  readonly logger: Pick<Logger, 'warn'>;
  /** Reports whether an error is Temporal's. */
  readonly isOutage: (error: unknown) => boolean;
}

/** Without an entry nothing is done. */
export function createAudited({ audit: log, logger, isOutage }: AuditedDeps): Audited {
  return async (attempt, act, describe = () => done(null)) => {
    const id = await log.begin(attempt);
    const finish = (end: AuditEnd) =>
      // It is done all the same.
      log.finish(id, end).catch((err) => logger.warn({ err, id }, 'cannot log how an action ended'));
    try {
      const result = await act();
      await finish(describe(result));
      return result;
    } catch (error) {
      const { statusCode, message } = toProblem(error, isOutage);
      await finish({ outcome: statusCode < 500 ? 'refused' : 'failed', detail: message });
      throw error;
    }
  };
}
