import { setTimeout as wait } from 'node:timers/promises';
import { parseSubjectKey, type SubjectRef, subjectKey } from '../domain/catalogue/subject.ts';
import type { Logger } from '../observability/logger.ts';
import type { Wake } from './dispatcher.ts';
import type { InboxRows } from './rows.ts';

/** Condition of a subject's workflow: it works, it sleeps, its task fails again and again, or it does not run. */
export type Condition = 'busy' | 'asleep' | 'wedged' | 'gone';

/** Position in a listing that is ordered by time and id. */
interface Position {
  readonly at: number;
  readonly id: string;
}

/** Lists what is overdue by an age in milliseconds after a position, oldest first. */
type Overdue = (
  ageMs: number,
  after: Position,
  limit: number,
) => Promise<readonly (Position & { readonly subject: SubjectRef })[]>;

/** Dependencies of the patrol. */
export interface PatrolDeps {
  readonly rows: Pick<InboxRows, 'overdue' | 'abandon'>;
  /** Lists unsent announcements of at least this age; a subject may have several. */
  readonly unsent: Overdue;
  /** Lists subjects whose records were to be fetched again at least this long ago. */
  readonly overdueLooks: Overdue;
  /** Lists orders whose stage has exceeded its limit by at least this age, and that were not announced as stalled. */
  readonly overdueStages: Overdue;
  readonly look: (subject: SubjectRef) => Promise<Condition>;
  readonly wake: Wake;
  /** Terminates a wedged workflow. */
  readonly end: (subject: SubjectRef) => Promise<void>;
  readonly isOutage: (error: unknown) => boolean;
  readonly logger: Logger;
  /** Age at which events and announcements are overdue, in milliseconds. */
  readonly afterMs: number;
}

/** Number of workflows checked per round, concurrency, and the interval of rounds, which leaves Temporal to other calls. */
const PER_ROUND = 50;
const LANES = 8;
const ROUND_MS = 1000;

/** Shortest time between two searches for orders beyond their limits, in milliseconds: they wait for hours. */
const STAGES_EVERY_MS = 30_000;

const BEGINNING: Position = { at: 0, id: '' };

/**
 * Creates a patrol over everything that was accepted and not announced. It needs none of Temporal's data: a workflow that was
 * terminated, canceled, reset, deleted or lost with its server leaves its events unobserved, its announcements unsent and its timers
 * unfired. Once they are overdue and the workflow does not work on them, the patrol wakes it or starts it again.
 */
export function createPatrol(deps: PatrolDeps) {
  const { rows, logger, afterMs } = deps;
  const closing = new AbortController();
  const unsentSubjects = createPasses(deps.unsent, afterMs);
  const subjectsToFetch = createPasses(deps.overdueLooks, afterMs);
  const stalledOrders = createPasses(deps.overdueStages, afterMs, STAGES_EVERY_MS);
  let running: Promise<void> | undefined;

  /** Wakes a workflow that is not busy; reports whether it had to. */
  async function check(subject: SubjectRef): Promise<boolean> {
    const condition = await deps.look(subject);
    if (condition === 'busy') return false;
    if (condition === 'wedged') await deps.end(subject);
    logger.warn(
      { subject: subjectKey(subject), condition },
      'workflow does not process its events or announcements; waking it again',
    );
    await deps.wake(subject, []);
    return true;
  }

  async function checkAll(subjects: readonly SubjectRef[]): Promise<boolean> {
    const waiting = subjects.values();
    let hasWoken = false;
    const work = async () => {
      for (const subject of waiting) {
        if (closing.signal.aborted) return;
        hasWoken = (await check(subject)) || hasWoken;
      }
    };
    // Waits for all, so that none is in progress after closing.
    const lanes = await Promise.allSettled(Array.from({ length: LANES }, work));
    for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason;
    return hasWoken;
  }

  async function run(): Promise<void> {
    let hasFailed = false;
    while (!closing.signal.aborted) {
      try {
        const keys = await rows.overdue(afterMs, PER_ROUND);
        const overdue = await checkAll(keys.flatMap((key) => parseSubjectKey(key) ?? []));
        const unannounced = await checkAll(await unsentSubjects());
        const unfetched = await checkAll(await subjectsToFetch());
        // Their workflows sleep, with the limits of when they were last woken.
        for (const subject of await stalledOrders()) await deps.wake(subject, []);
        hasFailed = false;
        // Many may be lost, and none should wait for the next round.
        if (overdue || unannounced || unfetched) continue;
      } catch (err) {
        if (!hasFailed && !deps.isOutage(err))
          logger.warn({ err }, 'cannot look for overdue events and announcements; retrying');
        hasFailed = true;
      }
      await wait(Math.min(ROUND_MS, afterMs), undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  return {
    start() {
      running ??= run();
    },
    /** Stops checking workflows and resolves once the calls in progress have returned. */
    async close() {
      closing.abort();
      await running;
    },
  };
}

/** Returns the subjects of the next page, again and again from the beginning, with at most one pass per `everyMs`. */
function createPasses(list: Overdue, afterMs: number, everyMs = afterMs): () => Promise<readonly SubjectRef[]> {
  let position = BEGINNING;
  let startedAt = 0;
  return async () => {
    if (position === BEGINNING && Date.now() - startedAt < everyMs) return [];
    if (position === BEGINNING) startedAt = Date.now();
    const page = await list(afterMs, position, PER_ROUND);
    position = page.length === PER_ROUND ? (page.at(-1) ?? BEGINNING) : BEGINNING;
    return [...new Map(page.map(({ subject }) => [subjectKey(subject), subject])).values()];
  };
}
