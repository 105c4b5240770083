import { parseSubjectKey, type SubjectRef } from '../domain/catalogue/subject.ts';
import { isStoreFailure, messageOf } from '../domain/errors.ts';
import type { QuarantineText } from '../domain/quarantine.ts';
import { cut } from '../domain/text.ts';
import type { Logger } from '../observability/logger.ts';
import { createBacklog } from './backlog.ts';
import { createCooldowns } from './cooldowns.ts';
import type { InboxRows } from './rows.ts';

/** Wakes a subject's workflow, or starts it, with the names of waiting events. Resolves once that is durable. */
export type Wake = (subject: SubjectRef, names: readonly string[]) => Promise<void>;

/** Wakes the workflows of subjects that have waiting rows. */
export type Dispatcher = ReturnType<typeof createDispatcher>;

/** Dependencies and settings of a dispatcher. */
export interface DispatcherDeps {
  readonly rows: Pick<InboxRows, 'waitingAfter' | 'waiting' | 'claim' | 'abandon' | 'stranded' | 'quarantineAll'>;
  readonly wake: Wake;
  /** Reports whether a failure of `wake` concerns every subject, such as an outage of the server. */
  readonly isOutage: (error: unknown) => boolean;
  readonly logger: Logger;
  /** Notified of each wake, with the time at which the oldest event was received; not of those after a failure. */
  readonly onDispatched?: ((receivedAt: number) => void) | undefined;
  /** Maximum number of concurrent calls of `wake`. */
  readonly concurrency?: number;
  /** Interval of polls for rows of other processes, in milliseconds. */
  readonly pollMs?: number;
  readonly random?: () => number;
}

/** Key of the cooldown that applies to all subjects. */
const ALL = '';

/** Number of polls between two searches for missed rows. */
const SEARCH_POLLS = 8;

/** Longest message of a refusal in the reason of a quarantine. */
const REASON_LIMIT = 300;

/** Minimum age of missed rows, in milliseconds, and the number of rows per search. */
const STRANDED_MS = 10_000;
const STRANDED_PAGE = 1000;

/**
 * Creates a dispatcher over the durable rows. A woken workflow is not woken again before it has recorded, so that it receives few
 * signals and its events coalesce. The patrol finds workflows that were woken without effect.
 */
export function createDispatcher(deps: DispatcherDeps) {
  const { rows, wake, logger, concurrency = 16, pollMs = 250, random = Math.random } = deps;
  const backlog = createBacklog({ rows, onReady: fill });
  const cooldowns = createCooldowns({ random, onEnd: resume });
  const busy = new Map<string, Promise<void>>();
  const again = new Set<string>();
  let poll: NodeJS.Timeout | undefined;
  let polls = 0;
  let searched = 0;
  let filling: Promise<void> | undefined;
  let isWanted = false;

  function mayDispatch(): boolean {
    // After an outage a single call probes whether it is over.
    const lanes = cooldowns.failures(ALL) > 0 ? 1 : concurrency;
    return poll !== undefined && !cooldowns.has(ALL) && busy.size < lanes;
  }

  function fill(): void {
    isWanted = true;
    filling ??= dispatchWhileWanted();
  }

  async function dispatchWhileWanted(): Promise<void> {
    while (isWanted) {
      isWanted = false;
      await dispatchAll().catch(beginOutage);
    }
    filling = undefined;
  }

  async function dispatchAll(): Promise<void> {
    while (mayDispatch()) {
      const next = await backlog.next();
      if (next === undefined) return;
      const { key, receivedAt } = next;
      if (busy.has(key)) again.add(key);
      else if (!mayDispatch()) backlog.add(key);
      else if (!cooldowns.has(key)) busy.set(key, serve(key, receivedAt));
    }
  }

  async function serve(key: string, receivedAt: number): Promise<void> {
    await dispatch(key, receivedAt).catch((error: unknown) => fail(key, error));
    busy.delete(key);
    if (again.delete(key)) backlog.add(key);
    fill();
  }

  async function dispatch(key: string, receivedAt: number): Promise<void> {
    const names = await rows.claim(key);
    // Another process has taken it: what failed here says nothing of the next time.
    if (names === undefined) return void cooldowns.clear(key);
    const subject = parseSubjectKey(key);
    if (!subject) return await quarantine(key, 'not a subject that this version follows');
    try {
      await wake(subject, names);
    } catch (error) {
      if (!deps.isOutage(error) && !isStoreFailure(error) && cooldowns.failures(key) > 0) {
        return await quarantine(key, `Temporal refuses it: ${cut(messageOf(error), REASON_LIMIT)}`);
      }
      await rows.abandon(key);
      throw error;
    }
    if (receivedAt > 0) deps.onDispatched?.(receivedAt);
    endOutage();
    cooldowns.clear(key);
  }

  async function quarantine(key: string, reason: QuarantineText): Promise<void> {
    await rows.quarantineAll(key, reason);
    await rows.abandon(key);
    cooldowns.clear(key);
    logger.warn({ subject: key, reason }, 'events cannot be dispatched and were quarantined');
  }

  function fail(key: string, error: unknown): void {
    if (isStoreFailure(error) || deps.isOutage(error)) {
      backlog.add(key);
      beginOutage(error);
      return;
    }
    endOutage();
    again.delete(key);
    cooldowns.begin(key);
    logger.warn({ subject: key, err: error }, 'events cannot be dispatched; retrying once');
  }

  function beginOutage(error: unknown): void {
    if (cooldowns.failures(ALL) === 0) logger.error({ err: error }, 'dispatching stopped; events wait in the inbox');
    cooldowns.begin(ALL);
  }

  function endOutage(): void {
    if (cooldowns.clear(ALL)) logger.info({ waiting: rows.waiting() }, 'dispatching resumed');
  }

  function resume(key: string): void {
    if (key !== ALL) backlog.add(key);
    fill();
  }

  /** Finds rows that the backlog missed, one page of those it has read at a time. */
  async function findMissed(): Promise<void> {
    backlog.rewind();
    const page = { after: searched, upTo: backlog.readUpTo(), limit: STRANDED_PAGE };
    const { keys, next } = await rows.stranded({ ageMs: STRANDED_MS, ...page });
    searched = next;
    for (const key of keys) backlog.add(key);
    fill();
  }

  return {
    start() {
      poll ??= setInterval(() => {
        polls += 1;
        if (polls % SEARCH_POLLS === 0) void findMissed().catch(beginOutage);
        backlog.poll();
        fill();
      }, pollMs);
      fill();
    },
    /** Notifies the dispatcher of new rows. */
    wake() {
      backlog.wake();
      fill();
    },
    /** Reports whether no row waits and no call is in progress. */
    idle: () => busy.size === 0 && rows.waiting() === 0,
    /** Stops waking workflows and resolves once the calls in progress have returned. */
    async close() {
      clearInterval(poll);
      poll = undefined;
      await filling;
      await Promise.all(busy.values());
      for (const it of [backlog, cooldowns]) it.close();
    },
  };
}
