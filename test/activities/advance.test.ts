import { describe, expect, it, vi } from 'vitest';
import { type AdvanceInput, advance } from '../../activities/advance.ts';
import { record } from '../../activities/record.ts';
import type { SubjectRef } from '../../src/domain/catalogue/subject.ts';
import { fillDisk } from '../store/temporary-store.ts';
import { hold, toDefault } from '../support/make.ts';
import { openDestination, turn } from './announcing.ts';
import { type Delivered, deliver, quietEnvironment, troubleOf, waitingFor } from './deps.ts';
import { openRetrieving, stopStopwatch } from './retrieving.ts';

const created: Delivered = { id: '9104:1', name: 'OrderCreate', time: 1_000 };
const allocated: Delivered = { id: '9104:2', name: 'OrderFullyAllocated', time: 2_000 };

/** The activity on the simulated warehouse, a store, and a destination that accepts everything by default. */
async function open({
  delivered = [created],
  of,
  answer,
  ...options
}: Parameters<typeof openRetrieving>[0] & {
  readonly delivered?: readonly Delivered[];
  readonly of?: SubjectRef;
  readonly answer?: Parameters<typeof openDestination>[0];
} = {}) {
  stopStopwatch();
  const { posts, destination } = await openDestination(answer);
  const opened = await openRetrieving({ ...options, deps: { destinationOf: () => destination, ...options.deps } });
  const { store, deps } = opened;
  const subject = of ?? opened.subject;
  const eventIds = delivered.length > 0 ? await deliver(store, subject, ...delivered) : [];
  const environment = quietEnvironment();
  return {
    ...opened,
    subject,
    posts,
    eventIds,
    environment,
    advance: (input: Partial<AdvanceInput> = {}) =>
      environment.run(advance, deps, {
        subject,
        known: null,
        refresh: false,
        retrieve: true,
        announce: true,
        busy: [],
        lingerMs: 0,
        ...input,
      }),
    /** Records events as an earlier run would. */
    recordBefore: (...ids: readonly string[]) => record(deps, { subject, known: null, eventIds: ids }),
    idOf: (rest: string) => `${subject.kind}:9104:${subject.id}/${rest}`,
    revision: async () => (await store.subjects.load(subject, 0)).saved?.lifecycle.revision,
  };
}

describe('a subject that has work', () => {
  it('is retrieved, recorded and announced in one attempt', async () => {
    const { store, subject, posts, idOf, advance } = await open();
    expect(await advance()).toEqual({
      recorded: {
        standing: expect.objectContaining({ revision: 1, stage: 'created', attention: [] }),
        lines: [expect.stringContaining('GET order 200 in '), expect.stringContaining('**created** · revision 1')],
        announce: { default: [idOf('1/created')] },
        waiting: [],
      },
      announced: {
        default: {
          results: [{ id: idOf('1/created'), status: 204, ms: expect.any(Number), attempts: 1 }],
          refused: [],
          left: [],
        },
      },
      calls: [
        { operation: 'getOrder', status: 200, ms: expect.any(Number) },
        { operation: 'getCustomer', status: 200, ms: expect.any(Number) },
      ],
    });
    expect(posts).toEqual([idOf('1/created')]);
    expect(await store.subjects.load(subject, 10)).toMatchObject({
      saved: { lifecycle: { revision: 1, snapshot: { status: 'open' } } },
      events: [],
    });
    expect(await store.subjects.unsent(subject)).toEqual({});
  });

  it('needs no GET if its events carry their resources', async () => {
    const of = hold;
    const { posts, idOf, advance, calls } = await open({ delivered: [turn(1)], of });
    const advanced = await advance({ retrieve: false });
    expect(advanced).toMatchObject({
      recorded: { lines: { length: 1 } },
      announced: { default: { left: [] } },
      calls: [],
    });
    expect([posts, calls()]).toEqual([[idOf('1/placedOnHold')], {}]);
  });

  it('is fetched for a refresh though nothing waits', async () => {
    const { advance, calls, idOf } = await open({ delivered: [] });
    expect(await advance({ refresh: true })).toMatchObject({
      recorded: { announce: { default: [idOf('1/created')] } },
    });
    expect(calls()).toMatchObject({ getOrder: 1 });
  });

  it('accepts a final refusal as an answer', async () => {
    const { advance, calls } = await open({ delivered: [{ ...created, name: 'OrderUpdate', userId: '999999' }] });
    expect(await advance()).toMatchObject({ recorded: { standing: { attention: ['refused'] } } });
    expect(calls()).toMatchObject({ getUser: expect.any(Number) });
  });

  it('gets the announcements that the destination did not accept', async () => {
    const { store, subject, advance, idOf } = await open({ answer: () => ({ status: 503 }) });
    expect(await advance()).toMatchObject({
      recorded: { announce: { default: [idOf('1/created')] } },
      announced: { default: { results: [], left: [idOf('1/created')] } },
    });
    expect(await store.subjects.unsent(subject)).toEqual({ default: [idOf('1/created')] });
  });

  it('lingers for the requested time, so that events that arrive meanwhile are recorded with it', async () => {
    const { store, subject, advance, calls } = await open();
    const done = advance({ lingerMs: 300 });
    await deliver(store, subject, { id: '9104:2', name: 'OrderUpdate', time: 2_000 });
    expect(await done).toMatchObject({ recorded: { standing: { lastEventTime: 2_000 }, waiting: [] } });
    expect(calls()).toMatchObject({ getOrder: 1 });
  });
});

describe('a subject that has no work', () => {
  it('is read: its current state and the announcements to send', async () => {
    const { advance, calls, eventIds, recordBefore, idOf, posts } = await open();
    const { standing } = await recordBefore(...eventIds);
    expect(await advance()).toEqual({
      recorded: {
        standing,
        lines: [expect.stringContaining('created')],
        announce: { default: [idOf('1/created')] },
        waiting: [],
      },
      announced: {},
      calls: [],
    });
    expect([posts, calls()]).toEqual([[], {}]);
  });

  it('that was announced by an attempt whose result was lost is not announced again', async () => {
    const { advance, posts, calls } = await open();
    const first = await advance();
    const again = await advance();
    expect(posts).toHaveLength(1);
    expect(calls()).toMatchObject({ getOrder: 1 });
    if (!('recorded' in first && 'recorded' in again)) throw new Error('nothing was recorded');
    expect(again.recorded).toEqual({ ...first.recorded, lines: first.recorded.lines.slice(1), announce: {} });
  });
});

describe('announcements', () => {
  it('are left to a regular activity if an earlier run left older ones, which go first', async () => {
    const { simulator, store, orderId, advance, recordBefore, posts, idOf } = await open({
      delivered: [created, allocated],
    });
    await simulator.emit(orderId, 'OrderFullyAllocated');
    await recordBefore('9104:1');
    const ids = [idOf('1/created'), idOf('2/fullyAllocated')];
    expect(await advance()).toMatchObject({ recorded: { announce: { default: ids } }, announced: {} });
    expect(posts).toEqual([]);
    for (const id of ids) expect(await store.outbox.lease(toDefault(id), 1000)).toMatchObject({ id });
  });

  it('are left to a regular activity behind what waited for a destination that has been resumed, though the workflow does not know of it', async () => {
    const { simulator, store, orderId, subject, advance, recordBefore, posts, idOf } = await open({
      delivered: [created, allocated],
    });
    await simulator.emit(orderId, 'OrderFullyAllocated');
    const destination = { tenant: subject.tenant, id: 'default' };
    await store.destinations.pause(destination, 'by a person');
    await recordBefore('9104:1');
    await store.destinations.resume(destination);
    const ids = [idOf('1/created'), idOf('2/fullyAllocated')];
    expect(await advance({ known: 1 })).toMatchObject({ recorded: { announce: { default: ids } }, announced: {} });
    expect(posts).toEqual([]);
  });

  it('are left to a regular activity if the workflow has older ones', async () => {
    const { store, advance, posts, idOf } = await open();
    const id = idOf('1/created');
    expect(await advance({ busy: ['default'] })).toMatchObject({
      recorded: { announce: { default: [id] } },
      announced: {},
    });
    expect(posts).toEqual([]);
    expect(await store.outbox.lease(toDefault(id), 1000)).toMatchObject({ id });
  });

  it('are left to a regular activity during the cooldown of the destination', async () => {
    const { advance, deps, posts, clock } = await open();
    const circuit = { tenant: '9104', operation: 'announce to default' } as const;
    deps.breaker.open(circuit);
    clock.time += 4999;
    expect(await advance()).toMatchObject({ announced: {} });
    clock.time += 1;
    expect(deps.breaker.isOpen(circuit)).toBe(false);
    expect(posts).toEqual([]);
  });

  it('are left to a regular activity once the process stops', async () => {
    const { advance, posts } = await open({ deps: { mayInline: (_, gets) => gets > 0 } });
    expect(await advance()).toMatchObject({ announced: {} });
    expect(posts).toEqual([]);
  });
});

describe('a retrieval', () => {
  it('that was slow is recorded, and its announcements are left to a regular activity', async () => {
    const { store, deps, advance, posts, idOf } = await open();
    const { warehouseOf } = deps;
    const slowBy = (ms: number) => ({
      warehouseOf: (...args: Parameters<typeof warehouseOf>) => {
        vi.advanceTimersByTime(ms);
        return warehouseOf(...args);
      },
    });
    Object.assign(deps, slowBy(501));
    const id = idOf('1/created');
    expect(await advance()).toMatchObject({
      recorded: { standing: { revision: 1 }, announce: { default: [id] } },
      announced: {},
    });
    expect(posts).toEqual([]);
    expect(await store.outbox.lease(toDefault(id), 1000)).toMatchObject({ id });
  });

  it('is left to a regular activity if the workflow does not allow it', async () => {
    const { advance, calls } = await open();
    expect(await advance({ retrieve: false, known: 0 })).toEqual({ operations: ['getOrder'], found: null });
    expect(calls()).toEqual({});
  });

  it('is left to a regular activity if the rate limit leaves no room', async () => {
    const { advance, calls } = await open({ callsPerSecond: 3 });
    expect(await advance({ known: 0 })).toEqual({ operations: ['getOrder'], found: null });
    expect(calls()).toEqual({});
  });

  it('that is left to a regular activity still returns the current state to a new run', async () => {
    const { advance, recordBefore, idOf } = await open({ delivered: [created, allocated] });
    const { standing } = await recordBefore('9104:1');
    expect(await advance({ retrieve: false })).toEqual({
      operations: ['getOrder'],
      found: {
        standing,
        lines: [expect.stringContaining('created')],
        announce: { default: [idOf('1/created')] },
        waiting: [],
      },
    });
  });

  it('that fails is left to a regular activity, and its reason is recorded', async () => {
    const { store, subject, eventIds, advance, revision } = await open({ faults: { errorRate: 1 } });
    expect(await advance({ known: 0 })).toEqual({
      operations: ['getOrder'],
      found: null,
      tried: {
        reason: expect.stringMatching(/^getOrder: GET \/orders\/\d+ answered 500/),
        calls: [{ operation: 'getOrder', status: 500, ms: expect.any(Number) }],
        waitMs: 0,
      },
    });
    expect(await troubleOf(store, subject, 'retrieving')).toMatchObject({ operation: 'getOrder', attempts: 1 });
    expect([await revision(), await waitingFor(store, subject)]).toEqual([0, eventIds]);
  });

  it('that fails begins a cooldown of the warehouse', async () => {
    const { simulator, store, subject, clock, advance, calls } = await open({ faults: { errorRate: 1 } });
    await advance();
    simulator.setFaults({ errorRate: 0 });
    clock.time += 4999;
    expect(await advance()).not.toHaveProperty('tried');
    expect(calls()).toEqual({ getOrder: 1 });
    clock.time += 1;
    expect(await advance()).toMatchObject({ recorded: { standing: { snapshot: { status: 'open' } } } });
    expect(await troubleOf(store, subject, 'retrieving')).toBeNull();
  });

  it.each([
    [7, 7000],
    [86_400, 600_000],
  ])('passes on that the warehouse asked to wait %i s as %i ms', async (retryAfterSeconds, waitMs) => {
    const { advance } = await open({ faults: { rateLimitRate: 1, retryAfterSeconds } });
    expect(await advance()).toMatchObject({ tried: { waitMs } });
  });

  it('does not wait for a person within the task', async () => {
    const { advance } = await open({ faults: { forbidden: ['getOrder'] } });
    expect(await advance()).toMatchObject({ tried: { waitMs: 0 } });
  });

  it('whose bodies cannot be stored is left to a regular activity, though the warehouse answered', async () => {
    const { store, subject, eventIds, advance, calls } = await open();
    await store.db.schema.dropTable('resources').execute();
    expect(await advance()).toMatchObject({
      operations: ['getOrder'],
      tried: { reason: expect.stringContaining('no such table'), waitMs: 0 },
    });
    expect(calls()).toEqual({ getOrder: 1 });
    expect(await waitingFor(store, subject)).toEqual(eventIds);
  });

  it('that is canceled begins no cooldown', async () => {
    const { store, subject, deps, environment, advance, calls } = await open({ faults: { latencyMs: 60_000 } });
    const done = advance();
    await expect.poll(calls).toEqual({ getOrder: 1 });
    environment.cancel();
    await expect(done).rejects.toThrow('CANCELLED');
    expect(await troubleOf(store, subject, 'retrieving')).toBeNull();
    expect(deps.breaker.isOpen({ tenant: '9104', operation: 'retrieve' })).toBe(false);
  });
});

describe('a recording that the store cannot take', () => {
  it('fails the attempt as a whole: nothing is announced, and the events wait on', async () => {
    const of = hold;
    const large = turn(1, { resource: `"${'x'.repeat(100_000)}"` });
    const { store, advance, posts, revision, idOf } = await open({ delivered: [large], of });
    const release = await fillDisk(store);
    await expect(advance()).rejects.toMatchObject({ code: 'ERR_STORE_UNAVAILABLE' });
    await release();
    expect([posts, await revision(), await waitingFor(store, of)]).toEqual([[], undefined, ['9104:1']]);
    await advance();
    expect(posts).toEqual([idOf('1/placedOnHold')]);
  });
});
