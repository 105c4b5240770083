import type { Logger } from '../base/logger.ts';
import { createLoop } from '../base/loop.ts';
import { cut } from '../base/text.ts';
import { parseSubjectKey, type SubjectRef } from '../domain/catalogue/subject.ts';
import { isStoreFailure, messageOf } from '../domain/errors.ts';
import type { QuarantineReason } from '../domain/quarantine.ts';
import { backoffMs } from '../domain/retry-policy.ts';
import type { Due, DueSubject } from './tables/due.ts';
import type { InboxRows } from './tables/inbox-rows.ts';
import type { WaitingEvents } from './tables/waiting.ts';

/** Starts the workflow if none runs; durable once it resolves. */
export type Wake = (subject: SubjectRef, events: WaitingEvents) => Promise<void>;

export type Dispatcher = ReturnType<typeof createDispatcher>;

export interface DispatcherDeps {
  readonly due: Pick<Due, 'takeWakes' | 'nextWakeInMs' | 'schedule' | 'check' | 'reset'>;
  readonly rows: Pick<InboxRows, 'waiting' | 'waitingOf' | 'quarantineAll'>;
  readonly wake: Wake;
  /** True if the failure concerns every subject, such as an outage. */
  readonly isOutage: (error: unknown) => boolean;
  readonly logger: Logger;
  readonly concurrency?: number;
  /** For what other processes made due. */
  readonly pollMs?: number;
  readonly random?: () => number;
}

const RETRY_MS = 100;

const REASON_LIMIT = 300;

/**
 * A woken workflow is not woken again before it has recorded, so that it receives few signals. The patrol finds workflows that were woken
 * without effect.
 */
export function createDispatcher(deps: DispatcherDeps) {
  const { due, rows, wake, logger, concurrency = 16, pollMs = 250 } = deps;
  const busy = new Set<Promise<void>>();
  const outage = new Outage(deps);
  let isReset = false;

  const loop = createLoop(async (closing) => {
    if (outage.pauseMs > 0) return outage.pauseMs;
    // After an outage a single call probes whether it is over.
    const lanes = (outage.isOver ? concurrency : 1) - busy.size;
    if (lanes <= 0) await Promise.race(busy);
    if (lanes <= 0 || closing.aborted) return 0;
    return await wakeSome(lanes).catch((error) => {
      outage.begin(error);
      return 0;
    });
  });

  /** Returns the time until there may be more. */
  async function wakeSome(limit: number): Promise<number> {
    if (!isReset) await due.reset();
    isReset = true;
    // Looking costs a fraction of taking, and most looks find that what has just arrived still lingers.
    const inMs = await due.nextWakeInMs();
    if (inMs !== 0) return Math.min(pollMs, inMs ?? pollMs);
    for (const subject of await due.takeWakes(limit)) begin(subject);
    return 0;
  }

  function begin(subject: DueSubject): void {
    const call = serve(subject).finally(() => busy.delete(call));
    busy.add(call);
  }

  async function serve(subject: DueSubject): Promise<void> {
    try {
      await wakeOne(subject);
    } catch (error) {
      // What cannot even be noted is found by the patrol.
      await fail(subject, error).catch((unnoted) => outage.begin(unnoted));
      // The loop may have read that nothing is due before this was noted.
      loop.nudge();
    }
  }

  async function wakeOne({ key }: DueSubject): Promise<void> {
    const subject = parseSubjectKey(key);
    if (!subject) return await quarantine(key, { code: 'otherSubject' });
    await wake(subject, await rows.waitingOf(key));
    outage.end();
  }

  async function fail({ key, attempts }: DueSubject, error: unknown): Promise<void> {
    if (isStoreFailure(error) || deps.isOutage(error)) {
      outage.begin(error);
      return await due.schedule([key]);
    }
    outage.end();
    if (attempts > 1) return await quarantine(key, { code: 'rejected', message: cut(messageOf(error), REASON_LIMIT) });
    logger.warn({ subject: key, err: error }, 'events cannot be dispatched; retrying once');
    await due.schedule([key], { inMs: RETRY_MS, attempts });
  }

  async function quarantine(key: string, reason: QuarantineReason): Promise<void> {
    await rows.quarantineAll(key, reason);
    await due.check(key);
    logger.warn({ subject: key, ...reason }, 'events cannot be dispatched and were quarantined');
  }

  return {
    start: () => loop.start(),
    wake: loop.nudge,
    idle: () => busy.size === 0 && rows.waiting() === 0,
    async close() {
      await loop.close();
      await Promise.all(busy);
    },
  };
}

/** Each pause is longer than the one before. */
class Outage {
  readonly #deps: Pick<DispatcherDeps, 'rows' | 'logger' | 'random'>;
  #failures = 0;
  #resumesAt = 0;

  constructor(deps: Pick<DispatcherDeps, 'rows' | 'logger' | 'random'>) {
    this.#deps = deps;
  }

  get isOver(): boolean {
    return this.#failures === 0;
  }

  get pauseMs(): number {
    return Math.max(0, this.#resumesAt - performance.now());
  }

  begin(error: unknown): void {
    const { logger, random = Math.random } = this.#deps;
    if (this.pauseMs > 0) return;
    if (this.isOver) logger.error({ err: error }, 'dispatching stopped; events wait in the inbox');
    this.#failures += 1;
    this.#resumesAt = performance.now() + backoffMs('dispatch', this.#failures) * (1 - random() / 2);
  }

  end(): void {
    // The calls that were made with those that failed say nothing.
    if (this.isOver || this.pauseMs > 0) return;
    this.#failures = 0;
    this.#deps.logger.info({ waiting: this.#deps.rows.waiting() }, 'dispatching resumed');
  }
}
