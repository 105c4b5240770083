import type { FastifyRequest } from 'fastify';
import type { Logger } from '../base/logger.ts';
import type { Actor, AuditedAttempt } from '../domain/audit.ts';
import { callerOf, identityOf } from './access.ts';
import { toProblem } from './problem.ts';
import type { createAuditLog } from './tables/audit.ts';

export type AuditLog = ReturnType<typeof createAuditLog>;

export type AuditEnd = Parameters<AuditLog['finish']>[1];

export const done = (detail: string | null): AuditEnd => ({ outcome: 'done', detail });

export const OPERATOR_HEADER = 'x-operator';

export function actorOf(request: FastifyRequest): Actor {
  const caller = callerOf(request);
  return { token: identityOf(caller), operator: caller.operator ?? null };
}

export const describeActor = ({ token, operator }: Actor): string =>
  operator === null ? token : `${operator} (${token})`;

export interface AuditedDeps {
  readonly audit: AuditLog;
  readonly logger: Logger;
  readonly isOutage: (error: unknown) => boolean;
}

/** Done, unless `describe` says otherwise. A detail must not name people. Does nothing if the entry cannot be written. */
export async function audited<T>(
  { audit: log, logger, isOutage }: AuditedDeps,
  attempt: AuditedAttempt,
  act: () => Promise<T>,
  describe: (result: T) => AuditEnd = () => done(null),
): Promise<T> {
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
}
