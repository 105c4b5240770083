import type { FastifyRequest } from 'fastify';
import { statusOf } from '../http/problem.ts';
import type { Logger } from '../observability/logger.ts';
import { callerOf } from './access.ts';

/** Actions that change something. */
export const auditedActions = [
  'refresh',
  'release',
  'resend',
  'replay',
  'erase',
  'backup',
  'cancel',
  'reconcile',
  'backfill',
] as const;

/** One of {@link auditedActions}. */
export type AuditedAction = (typeof auditedActions)[number];

/** Types of targets of an action. */
export const auditedTargets = ['subject', 'announcement', 'delivery', 'bulk', 'store', 'warehouse'] as const;

/** Thing that an action is done to: a subject's key, an announcement's id, the number of a delivery or a bulk action, the database, or a warehouse's tenant. */
export interface AuditTarget {
  readonly type: (typeof auditedTargets)[number];
  readonly id: string;
}

/** Person who acts: the name of the token, and the name that its holder gives, which nobody verifies. */
export interface Actor {
  readonly token: string;
  readonly operator: string | null;
}

/** Ends of an action: it was done, was refused for a reason that its detail names, or failed. */
export const auditOutcomes = ['done', 'refused', 'failed'] as const;

/** One of {@link auditOutcomes}. */
export type AuditOutcome = (typeof auditOutcomes)[number];

/** Action that begins. */
export interface AuditedAttempt {
  readonly action: AuditedAction;
  readonly target: AuditTarget;
  readonly actor: Actor;
}

/** Entry of the audit log. */
export interface AuditEntry extends AuditedAttempt {
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Null while it is under way, and for good if the process ended meanwhile. */
  readonly outcome: AuditOutcome | null;
  readonly detail: string | null;
}

/** Filter of entries; `by` is the name of a token or an operator. */
interface AuditFilter {
  readonly by?: string;
  readonly action?: AuditedAction;
}

/** Log of everything that people changed. */
export interface AuditLog {
  /** Writes durably that an action begins; returns the id of its entry. */
  begin(attempt: AuditedAttempt): Promise<number>;
  /** Writes durably that an action began at a time, once for each action, target and time. Its end is not logged. */
  note(attempt: AuditedAttempt & { readonly at: number }): Promise<void>;
  finish(id: number, end: { readonly outcome: AuditOutcome; readonly detail: string | null }): Promise<void>;
  /** Returns entries, the newest first, before an id. */
  list(filter: AuditFilter, page: { readonly before?: number; readonly limit: number }): Promise<readonly AuditEntry[]>;
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
