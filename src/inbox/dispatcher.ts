import { setTimeout as wait } from 'node:timers/promises';
import { parseSubjectKey, type SubjectRef } from '../domain/catalogue/subject.ts';
import { isStoreFailure, messageOf } from '../domain/errors.ts';
import type { QuarantineText } from '../domain/quarantine.ts';
import { cut } from '../domain/text.ts';
import type { Logger } from '../observability/logger.ts';
import type { Due, DueSubject } from './due.ts';
import type { InboxRows, WaitingEvents } from './rows.ts';

/** Wakes a subject's workflow, or starts it, for the events that wait. Resolves once that is durable. */
export type Wake = (subject: SubjectRef, events: Pick<WaitingEvents, 'names' | 'traces'>) => Promise<void>;

/** Wakes the workflows of subjects that have waiting rows. */
export type Dispatcher = ReturnType<typeof createDispatcher>;

/** Dependencies and settings of a dispatcher. */
export interface DispatcherDeps {
  readonly due: Pick<Due, 'takeWakes' | 'nextWakeInMs' | 'wake' | 'check' | 'reset'>;
  readonly rows: Pick<InboxRows, 'waiting' | 'waitingOf' | 'quarantineAll'>;
  readonly wake: Wake;
  /** Reports whether a failure of `wake` concerns every subject, such as an outage of the server. */
  readonly isOutage: (error: unknown) => boolean;
  readonly logger: Logger;
  /** Notified of each wake, with the time at which the oldest event was received; not of those after a failure. */
  readonly onDispatched?: ((receivedAt: number) => void) | undefined;
  /** Maximum number of concurrent calls of `wake`. */
  readonly concurrency?: number;
  /** Interval of polls for what other processes made due, in milliseconds. */
  readonly pollMs?: number;
  readonly random?: () => number;
}

/** Time after which a wake that Temporal refused is tried again, in milliseconds. */
const RETRY_MS = 100;

/** Longest message of a refusal in the reason of a quarantine. */
const REASON_LIMIT = 300;

/**
 * Creates a dispatcher, which wakes the workflows of subjects that are due. A woken workflow is not woken again before it has recorded, so
 * that it receives few signals and its events coalesce. The patrol finds workflows that were woken without effect.
 */
export function createDispatcher(deps: DispatcherDeps) {
  const { due, rows, wake, logger, concurrency = 16, pollMs = 250, random = Math.random } = deps;
  const closing = new AbortController();
  const busy = new Set<Promise<void>>();
  let roused = Promise.withResolvers<void>();
  let failures = 0;
  let pause: Promise<void> | undefined;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    await due.reset().catch(beginOutage);
    while (!closing.signal.aborted) await dispatch().catch(beginOutage);
    await Promise.all(busy);
  }

  /** Wakes subjects until none is due, or no further call may be made now. */
  async function dispatch(): Promise<void> {
    await pause;
    // After an outage a single call probes whether it is over.
    const lanes = (failures > 0 ? 1 : concurrency) - busy.size;
    if (lanes <= 0) return void (await Promise.race(busy));
    roused = Promise.withResolvers();
    const subjects = closing.signal.aborted ? [] : await due.takeWakes(lanes);
    for (const subject of subjects) begin(subject);
    if (subjects.length === 0) await rest(Math.min(pollMs, (await due.nextWakeInMs()) ?? pollMs));
  }

  function begin(subject: DueSubject): void {
    const call = serve(subject).finally(() => busy.delete(call));
    busy.add(call);
  }

  /** Waits until there may be subjects to wake. */
  async function rest(ms: number): Promise<void> {
    const timer = setTimeout(roused.resolve, ms);
    await roused.promise;
    clearTimeout(timer);
  }

  async function serve(subject: DueSubject): Promise<void> {
    try {
      await wakeOne(subject);
    } catch (error) {
      // What cannot even be noted is found by the patrol.
      await fail(subject, error).catch(beginOutage);
    }
  }

  async function wakeOne({ key, attempts }: DueSubject): Promise<void> {
    const subject = parseSubjectKey(key);
    if (!subject) return await quarantine(key, 'not a subject that this version follows');
    const { receivedAt, ...events } = await rows.waitingOf(key);
    await wake(subject, events);
    if (receivedAt !== undefined && attempts === 1) deps.onDispatched?.(receivedAt);
    endOutage();
  }

  async function fail({ key, attempts }: DueSubject, error: unknown): Promise<void> {
    if (isStoreFailure(error) || deps.isOutage(error)) {
      beginOutage(error);
      return await due.wake([key]);
    }
    endOutage();
    if (attempts > 1) return await quarantine(key, `Temporal refuses it: ${cut(messageOf(error), REASON_LIMIT)}`);
    logger.warn({ subject: key, err: error }, 'events cannot be dispatched; retrying once');
    await due.wake([key], { inMs: RETRY_MS, attempts });
  }

  async function quarantine(key: string, reason: QuarantineText): Promise<void> {
    await rows.quarantineAll(key, reason);
    await due.check(key);
    logger.warn({ subject: key, reason }, 'events cannot be dispatched and were quarantined');
  }

  /** Begins a pause, longer than the last one, unless there is one. */
  function beginOutage(error: unknown): void {
    if (pause) return;
    if (failures === 0) logger.error({ err: error }, 'dispatching stopped; events wait in the inbox');
    failures += 1;
    pause = wait(backoffMs(failures, random), undefined, { signal: closing.signal })
      .catch(() => undefined)
      .then(() => {
        pause = undefined;
      });
  }

  function endOutage(): void {
    // The calls that were made with those that failed say nothing.
    if (failures === 0 || pause) return;
    failures = 0;
    logger.info({ waiting: rows.waiting() }, 'dispatching resumed');
  }

  return {
    start() {
      running ??= run();
    },
    /** Notifies the dispatcher that subjects have become due. */
    wake: () => roused.resolve(),
    /** Reports whether no row waits and no call is in progress. */
    idle: () => busy.size === 0 && rows.waiting() === 0,
    /** Stops waking workflows and resolves once the calls in progress have returned. */
    async close() {
      closing.abort();
      roused.resolve();
      await running;
    },
  };
}

const INITIAL_MS = 100;
const MAX_MS = 10_000;

/** Returns the exponential backoff after the n-th consecutive failure, counted from 1, with up to 50% jitter. */
export function backoffMs(failures: number, random: () => number): number {
  return Math.min(MAX_MS, INITIAL_MS * 2 ** (failures - 1)) * (1 - random() / 2);
}
