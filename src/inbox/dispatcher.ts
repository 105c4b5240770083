import { createBacklog } from './backlog.ts';
import { type Dispatch, type Served, serveClaim } from './claim.ts';
import type { Logger } from './logger.ts';
import { createPauses } from './pauses.ts';
import { createRests } from './rests.ts';
import type { InboxRows } from './rows.ts';
import { isStoreFailure } from './store-failure.ts';

/** Brings waiting rows to their subjects' workflows, each at least once. */
export interface Dispatcher {
  start(): void;
  /** Says that new rows wait. */
  wake(): void;
  /** How many rows wait, those under way included. */
  waiting(): number;
  /** Whether nothing waits and nothing is under way. */
  idle(): boolean;
  /** Claims nothing more and resolves when the calls under way have returned. */
  close(): Promise<void>;
}

/** What a dispatcher works with. */
export interface DispatcherDeps {
  readonly rows: InboxRows;
  readonly dispatch: Dispatch;
  /** Whether a failure of `dispatch` concerns every subject, as when the server is away. */
  readonly isOutage: (error: unknown) => boolean;
  readonly logger: Logger;
  /** How many subjects are dispatched at once, if the rows allow as many claims. */
  readonly concurrency?: number;
  /** How often rows are looked for without being woken, as for those of other processes, in milliseconds. */
  readonly pollMs?: number;
  readonly random?: () => number;
}

/** The key under which everything pauses; no subject has it. */
const EVERYTHING = '';

/**
 * A dispatcher over the durable rows. All rows that wait for a subject travel in one call, a subject is never in two calls at
 * once, whoever makes them, nor in many soon after each other, and rows are marked only after their call returned.
 */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { rows, dispatch, logger, concurrency = 16, pollMs = 250, random = Math.random } = deps;
  const backlog = createBacklog({ rows, onRipe: fill });
  const pauses = createPauses({ random, onEnd: resume });
  const rests = createRests({ onEnd: takeUpAgain });
  const busy = new Map<string, Promise<void>>();
  const again = new Set<string>();
  let poll: NodeJS.Timeout | undefined;
  let filling: Promise<void> | undefined;
  let wanted = false;

  function mayClaim(): boolean {
    // After an outage one call shows whether it is over, before the others follow.
    const lanes = pauses.failures(EVERYTHING) > 0 ? 1 : Math.min(concurrency, rows.claimsAtOnce);
    return poll !== undefined && !pauses.has(EVERYTHING) && busy.size < lanes;
  }

  function fill(): void {
    wanted = true;
    filling ??= claimWhileWanted();
  }

  async function claimWhileWanted(): Promise<void> {
    while (wanted) {
      wanted = false;
      await claimAll().catch(beginOutage);
    }
    filling = undefined;
  }

  async function claimAll(): Promise<void> {
    while (mayClaim()) {
      const key = await backlog.next();
      if (key === undefined) return;
      if (busy.has(key) || rests.has(key)) again.add(key);
      else if (!mayClaim()) backlog.add(key);
      else if (!pauses.has(key)) busy.set(key, serve(key));
    }
  }

  async function serve(key: string): Promise<void> {
    try {
      const claim = await rows.claim(key, (claimed) => serveClaim(key, claimed, dispatch));
      // What another process leaves, or what came while it was at it, is found by the poll.
      if (claim) settle(key, claim.served);
    } catch (error) {
      fail(key, error);
    }
    busy.delete(key);
    if (!rests.has(key)) takeUpAgain(key);
    fill();
  }

  function takeUpAgain(key: string): void {
    if (!again.delete(key)) return;
    backlog.add(key);
    fill();
  }

  function settle(key: string, served: Served): void {
    if (served === 'nothing') {
      pauses.clear(key);
      return;
    }
    recover(key);
    rests.begin(key);
    if (served === 'some') again.add(key);
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
    if (pauses.failures(key) === 1)
      logger.warn({ subject: key, err: error }, 'events cannot be dispatched; they are retried');
  }

  function recover(key: string): void {
    endOutage();
    if (pauses.clear(key)) logger.info({ subject: key }, 'events are dispatched again');
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

  return {
    start() {
      poll ??= setInterval(() => {
        backlog.rewind();
        fill();
      }, pollMs);
      fill();
    },
    wake() {
      backlog.wake();
      fill();
    },
    waiting: () => rows.waiting(),
    idle: () => busy.size === 0 && rows.waiting() === 0,
    async close() {
      clearInterval(poll);
      poll = undefined;
      await filling;
      await Promise.all(busy.values());
      for (const it of [backlog, pauses, rests]) it.close();
    },
  };
}
