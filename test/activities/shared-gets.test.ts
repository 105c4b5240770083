import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retrieve } from '../../activities/advance.ts';
import { type RetrievalPlan, takeBatch } from '../../activities/batch.ts';
import { retrieveBatch } from '../../activities/process-batch.ts';
import { describeRetrieval } from '../../src/domain/lifecycle/timeline.ts';
import { orderOf } from '../support/make.ts';
import { deliver, quietEnvironment, troubleOf } from './deps.ts';
import { openRetrieving } from './retrieving.ts';

/** Retrievals of several orders at once, at the rate of a simulated warehouse. */
async function open(options: Parameters<typeof openRetrieving>[0] = {}) {
  const opened = await openRetrieving(options);
  const { deps, store, simulator } = opened;
  return {
    ...opened,
    newOrders: (count: number) =>
      Array.from({ length: count }, () => simulator.createOrder({ lines: 1, customerId: 418 })),
    /** Retrieves what waits for an order. */
    run: async (id: string) =>
      await quietEnvironment().run(retrieveBatch, deps, orderOf(id), await takeBatch(deps, orderOf(id), false), {
        isRetry: false,
        since: Date.now(),
      }),
    /** Retrieves what a plan asks for. */
    runPlan: (id: string, plan: Partial<RetrievalPlan>, pickListSince?: number) =>
      quietEnvironment().run(
        retrieveBatch,
        deps,
        orderOf(id),
        {
          eventIds: [],
          traces: [],
          newest: [],
          ...(pickListSince && { pickListSince }),
          plan: { operations: [], userIds: [], ...plan },
        },
        { isRetry: false, since: Date.now() },
      ),
    deliverTo: (id: string, delivered: Partial<Parameters<typeof deliver>[2]> & { readonly id: string }) =>
      deliver(store, orderOf(id), { name: 'OrderFullyAllocated', time: 1, ...delivered }),
  };
}

describe('retrievals at the same time', () => {
  it('ask for a customer and a user once, and for a dozen orders with a few GETs', async () => {
    const { newOrders, run, deliverTo, calls, store } = await open({ callsPerSecond: 5 });
    const ids = newOrders(12);
    for (const id of ids)
      await deliverTo(id, { id: `9104:${id}`, name: 'OrderUpdate', userId: '2108', changedAt: '2026-02-11T10:42' });
    const found = await Promise.all(ids.map(run));
    expect(found.map(({ snapshot }) => snapshot?.status)).toEqual(ids.map(() => 'open'));
    const { getOrder = 0, getOrders = 0, ...parts } = calls();
    expect(parts).toEqual({ getCustomer: 1, getUser: 1 });
    expect(getOrder + getOrders).toBeLessThan(8);
    expect(getOrders).toBeGreaterThan(0);
    for (const id of ids) expect((await store.resources.find('9104', 'order', id))?.body).toContain(id);
    const shared = found.map(({ calls, refused }) => describeRetrieval(0, { calls, refused })).join('\n');
    expect(shared).toMatch(/GET orders 200 in \d+ ms, with \d+ others/);
  });

  it('ask for a pick list once, and again if that was before the newest event', async () => {
    const { simulator, orderId, runPlan, calls } = await open({ faults: { delaysMs: { getOrdersPicklist: 300 } } });
    await simulator.emit(orderId, 'OrderPickJobDone');
    const { pickJobId = '' } = await runPlan(orderId, { operations: ['getOrder'] });
    const plan = { operations: ['getOrdersPicklist'], pickJobId } as const;
    const begunAt = Date.now();
    const first = runPlan(orderId, plan, begunAt - 1000);
    await expect.poll(() => calls().getOrdersPicklist).toBe(1);
    const joined = runPlan(orderId, plan, begunAt - 500);
    const newer = runPlan(orderId, plan, Date.now() + 1);
    const retrieved = await Promise.all([first, joined, newer]);
    expect(retrieved.map(({ calls }) => calls.map(({ others }) => others))).toEqual([[1], [1], [undefined]]);
    expect(calls().getOrdersPicklist).toBe(2);
    const answeredAlready = await runPlan(orderId, plan, begunAt);
    expect(answeredAlready).toMatchObject({ refused: [], calls: [{ operation: 'getOrdersPicklist', status: 200 }] });
    expect(calls().getOrdersPicklist).toBe(2);
    await runPlan(orderId, plan);
    expect(calls().getOrdersPicklist).toBe(3);
  });
});

/** Faults of a warehouse without any. */
const whole = {
  ...{ rowsMissing: 0, rowsRepeated: 0, rowsReversed: 0, rowsOld: 0, rowsUnasked: 0, cutShort: 0, errorIn200: 0 },
  ...{ ignoreRql: false, delaysMs: {} },
};

/** Events of an order, in the order in which they happen. */
const steps = ['OrderCreate', 'OrderFullyAllocated', 'OrderPickJobDone', 'OrderPackComplete', 'OrderConfirm'] as const;

describe('events in any order of arrival', () => {
  it('are recorded once and in order, whatever the pages do that bring their records', {
    timeout: 120_000,
  }, async () => {
    const anyRate = fc.constantFrom(0, 0.5);
    const anyFaults = fc.record({
      rowsMissing: anyRate,
      rowsRepeated: anyRate,
      rowsReversed: anyRate,
      rowsOld: anyRate,
      rowsUnasked: anyRate,
      cutShort: anyRate,
      errorIn200: anyRate,
      ignoreRql: fc.boolean(),
      delaysMs: fc.constantFrom({}, { getOrders: 600 }),
    });
    const { simulator, deps, store, newOrders, deliverTo } = await open({
      callsPerSecond: 20,
      pagesOffMs: 0,
      othersWaiting: 1000,
      timeoutMs: 300,
      deps: { readLagMs: 15_000 },
    });
    const runAll = (ids: readonly string[]) =>
      Promise.allSettled(
        ids.map((id) =>
          quietEnvironment().run(retrieve, deps, {
            subject: orderOf(id),
            known: null,
            refresh: false,
            announce: false,
            busy: [],
          }),
        ),
      );
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyFaults, { minLength: 3, maxLength: 3 }),
        fc.infiniteStream(fc.nat(1000)),
        async (rounds, dice) => {
          const ids = newOrders(4);
          const events = [];
          for (const id of ids)
            for (const [index, name] of steps.entries()) {
              await simulator.emit(id, name, { deliver: false });
              const time = Date.now() - 1000 * (steps.length - index);
              events.push({ of: id, at: dice.next().value, id: `9104:${id}${index}`, name, time });
            }
          const arriving = events.toSorted((a, b) => a.at - b.at);
          for (const [round, faults] of rounds.entries()) {
            simulator.setFaults({ ...whole, ...faults });
            const part = arriving.slice((round * arriving.length) / 3, ((round + 1) * arriving.length) / 3);
            for (const { of, at: _, ...event } of part) await deliverTo(of, { ...event, receivedAt: Date.now() });
            await runAll(ids);
          }
          simulator.setFaults(whole);
          for (let tries = 0; tries < 5; tries += 1) await runAll(ids);
          for (const id of ids) {
            const { saved, events: waiting } = await store.subjects.load(orderOf(id), 100);
            expect(waiting).toEqual([]);
            expect(saved?.lifecycle.snapshot).toMatchObject({ status: 'closed' });
            const rows = await store.db
              .selectFrom('announcements')
              .select(['revision', 'summary'])
              .where('subject_id', '=', id)
              .orderBy('created_at')
              .orderBy('revision')
              .execute();
            expect(new Set(rows.map(({ revision }) => revision)).size).toBe(rows.length);
            const milestones = rows.map(({ summary }) => /\*\*(\w+)\*\*/.exec(summary ?? '')?.[1]);
            expect(milestones).toContain('confirmed');
            expect(new Set(milestones).size, milestones.join()).toBe(milestones.length);
          }
        },
      ),
      { numRuns: 6 },
    );
    const lies = simulator.counts().lies;
    expect(Object.keys(lies)).toContainEqual(expect.stringMatching(/^rows/));
  });
});

describe('a retrieval that has waited for its turn', () => {
  it('covers the events that were received before its GET began, with what they ask for', async () => {
    const { orderId, run, runPlan, deliverTo, store } = await open({ callsPerSecond: 1 });
    await runPlan(orderId, { operations: ['getUser'], userIds: ['2109'] });
    await deliverTo(orderId, { id: '9104:1' });
    const waiting = run(orderId);
    await pause(100);
    await deliverTo(orderId, { id: '9104:2', name: 'OrderUpdate', userId: '2108', receivedAt: Date.now() });
    await deliverTo(orderId, { id: '9104:3', receivedAt: Date.now() + 60_000 });
    const { eventIds, startedAt = 0 } = await waiting;
    expect(eventIds).toEqual(['9104:1', '9104:2']);
    expect(startedAt).toBeGreaterThan(Date.now() - 5000);
    expect(await store.resources.find('9104', 'user', '2108')).toBeDefined();
  });

  it('began when its GET did', async () => {
    const { orderId, run, runPlan, deliverTo } = await open({ callsPerSecond: 1 });
    await runPlan(orderId, { operations: ['getUser'], userIds: ['2109'] });
    await deliverTo(orderId, { id: '9104:1' });
    const askedAt = Date.now();
    const { startedAt = 0 } = await run(orderId);
    expect(startedAt - askedAt).toBeGreaterThan(500);
  });

  it('does without a user and a pick list whose turns do not come, and names them', async () => {
    const { simulator, orderId, runPlan, calls } = await open({ callsPerSecond: 0.3, deps: { partWaitMs: 100 } });
    await simulator.emit(orderId, 'OrderPickJobDone');
    const plan = { operations: ['getOrder', 'getOrdersPicklist', 'getUser'], userIds: ['2108'] } as const;
    const { snapshot, refused, pickJobId } = await runPlan(orderId, { ...plan, customerId: '' });
    expect(snapshot).toMatchObject({ status: 'open' });
    expect(refused.map(({ operation, id }) => [operation, id]).toSorted()).toEqual([
      ['getOrdersPicklist', pickJobId],
      ['getUser', '2108'],
    ]);
    expect(refused[0]?.message).toContain('left no room');
    expect(calls()).toEqual({ getOrder: 1, getCustomer: 1 });
  });

  it('gives its place to others if the turn does not come, which is no trouble', async () => {
    const { orderId, runPlan, deliverTo, deps, store } = await open({ callsPerSecond: 0.01 });
    await runPlan(orderId, { operations: ['getUser'], userIds: ['2109'] });
    await deliverTo(orderId, { id: '9104:1' });
    const hasty = {
      ...deps,
      warehouseOf: (...given: Parameters<typeof deps.warehouseOf>) => {
        const warehouse = deps.warehouseOf(...given);
        const getSubject: typeof warehouse.getSubject = (subject, signal, urgency) =>
          warehouse.getSubject(subject, signal, { ...urgency, withinMs: 50 });
        return { ...warehouse, getSubject };
      },
    };
    const input = { subject: orderOf(orderId), known: null, refresh: false, announce: true, busy: [] };
    await expect(quietEnvironment().run(retrieve, hasty, input)).rejects.toMatchObject({
      type: 'ERR_WAREHOUSE_BUSY',
      nonRetryable: false,
      nextRetryDelay: expect.any(Number),
    });
    expect(await troubleOf(store, orderOf(orderId), 'retrieving')).toBeNull();
  });
});
