import type { Logger } from '../base/logger.ts';
import { createLoop, singleFlight } from '../base/loop.ts';
import { parseSubjectKey, type SubjectRef } from '../domain/catalogue/subject.ts';
import type { Due } from './tables/due.ts';

/** Wedged: its task fails again and again. */
export type WorkflowState = 'busy' | 'idle' | 'wedged' | 'gone';

export interface PatrolDeps {
  readonly due: Pick<Due, 'takeChecks' | 'schedule' | 'repair'>;
  /** Those whose stage or deadline has run out without their workflows knowing it. */
  readonly wakeOverdue: () => Promise<void>;
  /** Some at a time; true if there may be more. */
  readonly wakeResumed: () => Promise<boolean>;
  readonly stateOf: (subject: SubjectRef) => Promise<WorkflowState>;
  readonly end: (subject: SubjectRef) => Promise<void>;
  readonly onDue?: () => void;
  readonly isOutage: (error: unknown) => boolean;
  readonly logger: Logger;
  /** Age from which events and announcements are overdue. */
  readonly afterMs: number;
}

const PER_ROUND = 50;
const LANES = 8;
const ROUND_MS = 1000;

/** They wait for hours. */
const OVERDUE_EVERY_MS = 30_000;

/**
 * Watches everything accepted and not announced, without Temporal's data: a workflow that was terminated, canceled, reset, deleted or lost
 * leaves events unobserved, announcements unsent and timers unfired. Once they are overdue and the workflow does not work, it is woken or
 * started again.
 */
export function createPatrol(deps: PatrolDeps) {
  const { due, logger, afterMs } = deps;
  const repair = singleFlight(afterMs, due.repair).read;
  const wakeOverdue = singleFlight(OVERDUE_EVERY_MS, deps.wakeOverdue).read;
  let hasFailed = false;

  /** Also ends a wedged workflow. */
  async function isIdle(key: string): Promise<boolean> {
    const subject = parseSubjectKey(key);
    if (!subject) return false;
    const condition = await deps.stateOf(subject);
    if (condition === 'busy') return false;
    if (condition === 'wedged') await deps.end(subject);
    logger.warn({ subject: key, condition }, 'workflow does not process its events or announcements; waking it again');
    return true;
  }

  async function checkAll(keys: readonly string[], closing: AbortSignal): Promise<number> {
    const waiting = keys.values();
    const idle: string[] = [];
    const work = async () => {
      for (const key of waiting) {
        if (closing.aborted) return;
        if (await isIdle(key)) idle.push(key);
      }
    };
    // Waits for all, so that none is in progress after closing.
    const lanes = await Promise.allSettled(Array.from({ length: LANES }, work));
    await due.schedule(idle);
    if (idle.length > 0) deps.onDue?.();
    for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason;
    return idle.length;
  }

  /** Stops once as many are busy as a round may look at. */
  async function checkNeglected(closing: AbortSignal): Promise<void> {
    await repair();
    await wakeOverdue();
    while (!closing.aborted && (await deps.wakeResumed())) deps.onDue?.();
    for (let busy = 0; busy < PER_ROUND && !closing.aborted; ) {
      const { taken, open } = await due.takeChecks(afterMs, PER_ROUND);
      busy += open.length - (await checkAll(open, closing));
      if (taken < PER_ROUND) return;
    }
  }

  /** `start` begins, and `close` resolves once the calls in progress have returned. */
  return createLoop(async (closing) => {
    try {
      await checkNeglected(closing);
      hasFailed = false;
    } catch (err) {
      if (!hasFailed && !deps.isOutage(err))
        logger.warn({ err }, 'cannot look for overdue events and announcements; retrying');
      hasFailed = true;
    }
    return Math.min(ROUND_MS, afterMs);
  });
}
