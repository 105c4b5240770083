import type { FastifyRequest } from 'fastify';
import type { Logger } from '../base/logger.ts';
import type { Actor, AuditedAttempt, AuditOutcome } from '../domain/audit.ts';
import { callerOf, identityOf } from './access.ts';
import { toProblem } from './problem.ts';

export interface AuditLog {
  /** Durable; returns the entry's id. */
  begin(attempt: AuditedAttempt): Promise<number>;
  /** Durable, once for each action, target and time. Its end is not logged. */
  note(attempt: AuditedAttempt & { readonly at: number }): Promise<void>;
  /** Null: not ended, but nobody waits any longer. */
  finish(id: number, end: AuditEnd): Promise<void>;
}

export interface AuditEnd {
  readonly outcome: AuditOutcome | null;
  readonly detail: string | null;
}

export const done = (detail: string | null): AuditEnd => ({ outcome: 'done', detail });

export const OPERATOR_HEADER = 'x-operator';

export function actorOf(request: FastifyRequest): Actor {
  const caller = callerOf(request);
  return { token: identityOf(caller), operator: caller.operator ?? null };
}

/** `ana (support)`. */
export const describeActor = ({ token, operator }: Actor): string =>
  operator === null ? token : `${operator} (${token})`;

/** Logs before and after: done, unless `describe` says otherwise. A detail must not name people. */
type Audited = <T>(attempt: AuditedAttempt, act: () => Promise<T>, describe?: (result: T) => AuditEnd) => Promise<T>;

interface AuditedDeps {
  readonly audit: AuditLog;
  readonly logger: Pick<Logger, 'warn'>;
  readonly isOutage: (error: unknown) => boolean;
}

/** Does nothing if the entry cannot be written. */
export function createAudited({ audit: log, logger, isOutage }: AuditedDeps): Audited {
  return async (attempt, act, describe = () => done(null)) => {
    const id = await log.begin(attempt);
    const finish = (end: AuditEnd) =>
      // The action is done all the same.
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
