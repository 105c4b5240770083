import { expect, onTestFinished } from 'vitest';
import type { Store } from '../../src/app/store.ts';
import type { Logger } from '../../src/base/logger.ts';
import { parseSubjectKey, type SubjectRef } from '../../src/domain/catalogue/subject.ts';
import { createDispatcher, type DispatcherDeps, type Wake } from '../../src/inbox/dispatcher.ts';
import { createPatrol, type PatrolDeps, type WorkflowState } from '../../src/inbox/patrol.ts';
import { decisionOf, orderOf } from '../support/make.ts';

/** Thrown by calls to a server that is down. */
export class Outage extends Error {}

/** Behavior of a call to a server; it may wait or throw. */
type Behave = (order: SubjectRef, call: number) => Promise<void> | void;

/** Creates a model of the workflow server as a dispatcher sees it: a woken workflow records all its waiting events unless it `sleeps`. */
export function createServer(store: Pick<Store, 'subjects'>, behave: Behave = () => {}, { sleeps = false } = {}) {
  const calls: { readonly orderId: string; readonly names: readonly string[] }[] = [];
  const recorded: string[] = [];
  const underWay = new Map<string, number>();
  const peak = { orders: 0, ofOneOrder: 0 };

  /** Records the waiting events of an order. */
  async function record(orderId: string): Promise<void> {
    const subject = orderOf(orderId);
    const { events } = await store.subjects.load(subject, 1000);
    const ids = events.map(({ id }) => id);
    const { decision, waiting } = await store.subjects.record(subject, ids, async ({ saved, events: fresh }) => ({
      ...decisionOf(saved ?? {}),
      ids: fresh.map(({ id }) => id),
    }));
    recorded.push(...decision.ids);
    if (waiting.length > 0) await record(orderId);
  }

  const wake: Wake = async (order, { names }) => {
    underWay.set(order.id, (underWay.get(order.id) ?? 0) + 1);
    peak.orders = Math.max(peak.orders, [...underWay.values()].filter(Boolean).length);
    peak.ofOneOrder = Math.max(peak.ofOneOrder, ...underWay.values());
    calls.push({ orderId: order.id, names });
    try {
      await behave(order, calls.length);
      if (!sleeps) await record(order.id);
    } finally {
      underWay.set(order.id, (underWay.get(order.id) ?? 1) - 1);
    }
  };

  return { calls, recorded, peak, wake, record, woken: () => calls.map(({ orderId }) => orderId) };
}

/** Creates a logger and collects its lines. */
export function collectLines(): { readonly logger: Logger; readonly lines: readonly string[] } {
  const lines: string[] = [];
  const log = (_fields: object, message: string) => void lines.push(message);
  return { logger: { info: log, warn: log, error: log }, lines };
}

/** Starts a dispatcher for the test and collects its log lines. */
export function begin(store: Store, deps: Partial<DispatcherDeps> & Pick<DispatcherDeps, 'wake'>) {
  const { logger, lines } = collectLines();
  const {
    rows = store.inbox,
    due = store.due,
    isOutage = (error) => error instanceof Outage,
    random = () => 0.5,
    ...rest
  } = deps;
  const dispatcher = createDispatcher({ rows, due, isOutage, logger, random, ...rest });
  onTestFinished(() => dispatcher.close());
  dispatcher.start();
  return { ...dispatcher, lines };
}

/** Age at which events and announcements are overdue for a patrol of the tests, in milliseconds. */
export const AFTER_MS = 20;

/** Starts a patrol for the test; `acts` lists what it ends and makes due to be woken. */
export function beginPatrol(
  store: Store,
  deps: Partial<PatrolDeps> & { readonly condition?: (id: string) => WorkflowState },
) {
  const { condition = () => 'gone', ...rest } = deps;
  const acts: string[] = [];
  const { logger, lines } = collectLines();
  const due = {
    ...store.due,
    async schedule(keys: readonly string[]) {
      acts.push(...keys.map((key) => `wake ${parseSubjectKey(key)?.id}`));
      await store.due.schedule(keys);
    },
  };
  const created = createPatrol({
    due,
    wakeOverdue: async () => {},
    wakeResumed: async () => false,
    stateOf: async ({ id }) => condition(id),
    end: async ({ id }) => void acts.push(`end ${id}`),
    logger,
    afterMs: AFTER_MS,
    isOutage: (error) => error instanceof Outage,
    ...rest,
  });
  onTestFinished(() => created.close());
  created.start();
  return { ...created, acts, lines };
}

/** Resolves once the dispatcher is idle. */
export const untilIdle = (dispatcher: { idle(): boolean }) => expect.poll(dispatcher.idle, { interval: 5 }).toBe(true);

/** Creates a promise with the function that resolves it. */
export function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
