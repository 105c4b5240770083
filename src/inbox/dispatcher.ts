import { parseSubjectKey, type SubjectRef } from '../domain/catalogue/subject.ts';
import { isStoreFailure } from '../domain/errors.ts';
import type { Logger } from '../observability/logger.ts';
import { createBacklog } from './backlog.ts';
import { createPauses } from './pauses.ts';
import type { InboxRows } from './rows.ts';

/** Starts a subject's workflow where none runs, and wakes it; `names` are those of events that wait. Returns once that is durable. */
export type Wake = (subject: SubjectRef, names: readonly string[]) => Promise<void>;

/** Wakes the workflows of subjects for which rows wait. */
export interface Dispatcher {
  start(): void;
  /** Says that new rows wait. */
  wake(): void;
  /** Whether nothing waits to be observed and nothing is under way. */
  idle(): boolean;
  /** Wakes nobody more and resolves when the calls under way have returned. */
  close(): Promise<void>;
}

/** What a dispatcher works with. */
export interface DispatcherDeps {
  readonly rows: Pick<InboxRows, 'subjectsAfter' | 'waiting' | 'begin' | 'abandon' | 'stranded' | 'quarantineAll'>;
  readonly wake: Wake;
  /** Whether a failure of `wake` concerns every subject, as when the server is away. */
  readonly isOutage: (error: unknown) => boolean;
  readonly logger: Logger;
  /** How many workflows are woken at once. */
  readonly concurrency?: number;
  /** How often rows are looked for without being woken, as for those of other processes, in milliseconds. */
  readonly pollMs?: number;
  readonly random?: () => number;
}

/** The key under which everything pauses; no subject has it. */
const EVERYTHING = '';

/** Every so many polls it is looked for what was missed. */
const LOOK_BACK_POLLS = 8;

/** How long rows have waited that were missed, in milliseconds, and how many subjects are found at once. */
const STRANDED_MS = 10_000;
const STRANDED_LIMIT = 500;

/**
 * A dispatcher over the durable rows. A workflow that was woken is not woken again before it has recorded, so that few signals ever
 * wait for it and events that come meanwhile travel together; who was woken in vain is found by the patrol.
 */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { rows, wake, logger, concurrency = 16, pollMs = 250, random = Math.random } = deps;
  const backlog = createBacklog({ rows, onRipe: fill });
  const pauses = createPauses({ random, onEnd: resume });
  const busy = new Map<string, Promise<void>>();
  const again = new Set<string>();
  let poll: NodeJS.Timeout | undefined;
  let polls = 0;
  let filling: Promise<void> | undefined;
  let wanted = false;

  function mayBegin(): boolean {
    // After an outage one call shows whether it is over, before the others follow.
    const lanes = pauses.failures(EVERYTHING) > 0 ? 1 : concurrency;
    return poll !== undefined && !pauses.has(EVERYTHING) && busy.size < lanes;
  }

  function fill(): void {
    wanted = true;
    filling ??= beginWhileWanted();
  }

  async function beginWhileWanted(): Promise<void> {
    while (wanted) {
      wanted = false;
      await beginAll().catch(beginOutage);
    }
    filling = undefined;
  }

  async function beginAll(): Promise<void> {
    while (mayBegin()) {
      const key = await backlog.next();
      if (key === undefined) return;
      if (busy.has(key)) again.add(key);
      else if (!mayBegin()) backlog.add(key);
      else if (!pauses.has(key)) busy.set(key, serve(key));
    }
  }

  async function serve(key: string): Promise<void> {
    await dispatch(key).catch((error: unknown) => fail(key, error));
    busy.delete(key);
    if (again.delete(key)) backlog.add(key);
    fill();
  }

  async function dispatch(key: string): Promise<void> {
    const names = await rows.begin(key);
    if (names === undefined) return;
    const subject = parseSubjectKey(key);
    if (!subject) return await refuse(key, 'not a subject that this version follows');
    try {
      await wake(subject, names);
    } catch (error) {
      if (!deps.isOutage(error) && !isStoreFailure(error) && pauses.failures(key) > 0) {
        return await refuse(key, `Temporal refuses it: ${error instanceof Error ? error.message : String(error)}`);
      }
      await rows.abandon(key);
      throw error;
    }
    recover(key);
  }

  /** What can never be dispatched holds back nobody. */
  async function refuse(key: string, reason: string): Promise<void> {
    await rows.quarantineAll(key, reason.slice(0, 300));
    await rows.abandon(key);
    pauses.clear(key);
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
    pauses.begin(key);
    logger.warn({ subject: key, err: error }, 'events cannot be dispatched; they are tried once more');
  }

  function recover(key: string): void {
    endOutage();
    pauses.clear(key);
  }

  function beginOutage(error: unknown): void {
    if (pauses.failures(EVERYTHING) === 0)
      logger.error({ err: error }, 'dispatching stopped; events wait in the inbox');
    pauses.begin(EVERYTHING);
  }

  function endOutage(): void {
    if (pauses.clear(EVERYTHING)) logger.info({ waiting: rows.waiting() }, 'dispatching goes on');
  }

  function resume(key: string): void {
    if (key !== EVERYTHING) backlog.add(key);
    fill();
  }

  async function findMissed(): Promise<void> {
    backlog.lookBack();
    for (const key of await rows.stranded(STRANDED_MS, STRANDED_LIMIT)) backlog.add(key);
    fill();
  }

  return {
    start() {
      poll ??= setInterval(() => {
        polls += 1;
        if (polls % LOOK_BACK_POLLS === 0) void findMissed().catch(beginOutage);
        backlog.look();
        fill();
      }, pollMs);
      fill();
    },
    wake() {
      backlog.wake();
      fill();
    },
    idle: () => busy.size === 0 && rows.waiting() === 0,
    async close() {
      clearInterval(poll);
      poll = undefined;
      await filling;
      await Promise.all(busy.values());
      for (const it of [backlog, pauses]) it.close();
    },
  };
}
