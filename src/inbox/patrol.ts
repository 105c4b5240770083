import { setTimeout as wait } from 'node:timers/promises';
import { parseSubjectKey, type SubjectRef, subjectKey } from '../domain/catalogue/subject.ts';
import type { Logger } from '../observability/logger.ts';
import type { Wake } from './dispatcher.ts';
import type { InboxRows } from './rows.ts';

/**
 * What the workflow of a subject is doing: it has something under way, it sleeps, it cannot go on (its task fails again and again),
 * or there is none that runs.
 */
export type Condition = 'busy' | 'asleep' | 'wedged' | 'gone';

/** A place among the announcements that wait to be sent, by when they were recorded. */
export interface OutboxPlace {
  readonly at: number;
  readonly id: string;
}

/** What the patrol works with. */
export interface PatrolDeps {
  readonly rows: Pick<InboxRows, 'overdue' | 'abandon'>;
  /** Announcements that have waited for so long, from a place on, oldest first; several may be of one subject. */
  readonly unsent: (
    ageMs: number,
    after: OutboxPlace,
    limit: number,
  ) => Promise<readonly (OutboxPlace & { readonly subject: SubjectRef })[]>;
  readonly look: (subject: SubjectRef) => Promise<Condition>;
  readonly wake: Wake;
  /** Ends a workflow that cannot go on. */
  readonly end: (subject: SubjectRef) => Promise<void>;
  readonly isOutage: (error: unknown) => boolean;
  readonly logger: Logger;
  /** How long something may take before its workflow is looked at, in milliseconds. */
  readonly afterMs: number;
}

/** Finds what its workflow will never do, and wakes it. */
export interface Patrol {
  start(): void;
  /** Looks at nobody more and resolves when the calls under way have returned. */
  close(): Promise<void>;
}

/** How many workflows are looked at in a round, which takes a second where they are busy: others need Temporal, too. */
const PER_ROUND = 50;
const LANES = 8;
const ROUND_MS = 1000;

const BEGINNING: OutboxPlace = { at: 0, id: '' };

/**
 * A patrol over everything that is acknowledged and not announced. Nothing that Temporal keeps is needed for it: a workflow that was
 * terminated, canceled, reset or deleted, or lost with its server, leaves its events unobserved and its announcements unsent, and
 * whoever has them for too long without working on them is woken again, or started anew.
 */
export function createPatrol(deps: PatrolDeps): Patrol {
  const { rows, unsent, logger, afterMs } = deps;
  const closing = new AbortController();
  let place = BEGINNING;
  let passBegan = 0;
  let walking: Promise<void> | undefined;

  /** Returns whether anybody had to be woken. */
  async function visit(subject: SubjectRef): Promise<boolean> {
    const condition = await deps.look(subject);
    if (condition === 'busy') return false;
    if (condition === 'wedged') await deps.end(subject);
    logger.warn(
      { subject: subjectKey(subject), condition },
      'its workflow does not work on what waits; it is woken again',
    );
    await deps.wake(subject, []);
    return true;
  }

  async function visitAll(subjects: readonly SubjectRef[]): Promise<boolean> {
    const waiting = subjects.values();
    let woken = false;
    const work = async () => {
      for (const subject of waiting) {
        if (closing.signal.aborted) return;
        woken = (await visit(subject)) || woken;
      }
    };
    // All of them, or some would still be under way when it is closed.
    const lanes = await Promise.allSettled(Array.from({ length: LANES }, work));
    for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason;
    return woken;
  }

  async function overdueSubjects(): Promise<readonly SubjectRef[]> {
    const keys = await rows.overdue(afterMs, PER_ROUND);
    return keys.flatMap((key) => parseSubjectKey(key) ?? []);
  }

  /** Walks through the outbox again and again, no more often than once in the time after which things are overdue. */
  async function unsentSubjects(): Promise<readonly SubjectRef[]> {
    if (place === BEGINNING && Date.now() - passBegan < afterMs) return [];
    if (place === BEGINNING) passBegan = Date.now();
    const page = await unsent(afterMs, place, PER_ROUND);
    place = page.length === PER_ROUND ? (page.at(-1) ?? BEGINNING) : BEGINNING;
    return [...new Map(page.map(({ subject }) => [subjectKey(subject), subject])).values()];
  }

  async function walk(): Promise<void> {
    let trouble = false;
    while (!closing.signal.aborted) {
      try {
        const overdue = await visitAll(await overdueSubjects());
        const unannounced = await visitAll(await unsentSubjects());
        trouble = false;
        // Where many were lost, none of them is kept waiting.
        if (overdue || unannounced) continue;
      } catch (err) {
        if (!trouble && !deps.isOutage(err))
          logger.warn({ err }, 'it cannot be seen what is overdue; it is tried again');
        trouble = true;
      }
      await wait(Math.min(ROUND_MS, afterMs), undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  return {
    start() {
      walking ??= walk();
    },
    async close() {
      closing.abort();
      await walking;
    },
  };
}
