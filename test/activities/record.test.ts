import { describe, expect, it } from 'vitest';
import type { RecordInput } from '../../activities/decide.ts';
import { record, reloadOrStall } from '../../activities/record.ts';
import { createRedelivery } from '../../src/destinations/tables/redelivery.ts';
import type { SubjectRef } from '../../src/domain/catalogue/subject.ts';
import { DocklineError } from '../../src/domain/errors.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { hold, orderOf, toDefault } from '../support/make.ts';
import { turn } from './announcing.ts';
import { type Delivered, deliver, depsOn, quarantinedIn, waitingFor } from './deps.ts';

/** The activity on a store in whose inbox these events of one subject wait. */
async function open(delivered: readonly Delivered[], subject: SubjectRef = hold) {
  const store = await openTemporaryStore();
  const deps = depsOn(store);
  const eventIds = await deliver(store, subject, ...delivered);
  return {
    store,
    deps,
    eventIds,
    record: (input: Partial<RecordInput> = {}) => record(deps, { subject, known: null, eventIds, ...input }),
    /** Announcements in order. */
    async announced() {
      const rows = await store.db.selectFrom('announcements').select('body').orderBy('revision').execute();
      return rows.map(({ body }) => JSON.parse(Buffer.from(body).toString()).data);
    },
    keptHold: async () => (await store.resources.find('9104', 'hold', '880'))?.body,
  };
}

const order = orderOf('31004581');
const held = 'hold:9104:880/1/placedOnHold';
const freed = 'hold:9104:880/2/releasedFromHold';

describe('a recorded change', () => {
  it('is announced with the resource that came with its event, which is kept', async () => {
    const { record, announced, keptHold } = await open([
      turn(1, { resource: '{"qty":5}' }),
      turn(2, { resource: '{"qty":6}' }),
    ]);
    expect((await record()).announce).toEqual({ default: [held, freed] });
    expect(await announced()).toMatchObject([
      { before: null, after: { onHold: true }, hold: { qty: 5 } },
      { before: { onHold: true }, after: { onHold: false }, hold: { qty: 6 } },
    ]);
    expect(await keptHold()).toBe('{"qty":6}');
  });

  it('that comes late does not take the place of what is newer', async () => {
    const { record, announced, keptHold } = await open([
      turn(1, { resource: '{"qty":5}' }),
      turn(2, { resource: '{"qty":6}' }),
    ]);
    await record({ eventIds: ['9104:2'] });
    await record({ eventIds: ['9104:1'], known: 1 });
    expect((await announced())[1]).toMatchObject({ late: true, hold: { qty: 5 } });
    expect(await keptHold()).toBe('{"qty":6}');
  });

  it('is announced without a resource if none came', async () => {
    const { record, announced } = await open([turn(1)]);
    await record();
    expect(await announced()).toMatchObject([{ after: { onHold: true }, hold: null }]);
  });

  it('is a line of the timeline, and its event waits no more', async () => {
    const { store, record } = await open([turn(1), turn(2), turn(3)]);
    const { standing, lines, waiting } = await record({ eventIds: ['9104:1', '9104:2'] });
    expect(standing).toMatchObject({ revision: 2, stage: 'released', isOver: true, attention: [] });
    expect(lines).toEqual([
      expect.stringContaining('**placedOnHold** · revision 1 · InventoryPlaceOnHold (9104:1)'),
      expect.stringContaining('**releasedFromHold** · revision 2 · InventoryReleaseFromHold (9104:2)'),
    ]);
    expect([waiting, await waitingFor(store, hold)]).toEqual([['InventoryPlaceOnHold'], ['9104:3']]);
  });
});

describe('the same recorded twice', () => {
  it('has the same outcome', async () => {
    const { record, announced } = await open([turn(1), turn(2)]);
    const first = await record();
    const kept = await announced();
    expect(kept).not.toEqual([]);
    expect(await record()).toEqual(first);
    expect(await announced()).toEqual(kept);
  });

  it('has the same result for a run that knew the previous revision', async () => {
    const { store, record } = await open([turn(1), turn(2), turn(3)]);
    await record({ eventIds: ['9104:1'] });
    await store.outbox.sent(toDefault(held), { status: 204, ms: 1 });
    const step = { eventIds: ['9104:2', '9104:3'], known: 1 };
    const first = await record(step);
    expect(first).toMatchObject({
      announce: { default: [freed, 'hold:9104:880/3/placedOnHold'] },
      lines: { length: 2 },
    });
    expect(await record(step)).toEqual(first);
  });

  it('observes only what was not observed before', async () => {
    const { record, announced } = await open([turn(1), turn(2)]);
    await record({ eventIds: ['9104:1'] });
    expect((await record({ known: 1 })).announce).toEqual({ default: [freed] });
    expect(await announced()).toHaveLength(2);
  });
});

describe('what was retrieved for events that were recorded meanwhile', () => {
  it('does not change the subject, since it may be older than the saved state', async () => {
    const { record, announced } = await open(
      [
        { id: '9104:1', name: 'OrderCreate', time: 1 },
        { id: '9104:2', name: 'OrderConfirm', time: 2 },
      ],
      order,
    );
    const retrievedFor = (id: string, status: 'open' | 'closed') => ({
      eventIds: [id],
      retrieved: { eventIds: [id], snapshot: { status }, refused: [], calls: [] },
    });
    await record(retrievedFor('9104:1', 'open'));
    const { standing } = await record({ known: 1, ...retrievedFor('9104:2', 'closed') });
    expect(standing.stage).toBe('confirmed');
    // As a run does that was reset, or whose server went on from an older copy of its database.
    const again = await record(retrievedFor('9104:1', 'open'));
    expect(again.standing).toMatchObject({ revision: 2, stage: 'confirmed' });
    expect(await announced()).toHaveLength(2);
  });
});

describe('a run that knows less than was recorded', () => {
  it('gets the lines since its revision, and everything to send, oldest first', async () => {
    const { record } = await open([turn(1), turn(2)]);
    await record({ eventIds: ['9104:1'] });
    const { standing, lines, announce } = await record({ eventIds: ['9104:2'], known: null });
    expect([standing.revision, lines.length, announce]).toEqual([2, 2, { default: [held, freed] }]);
  });
});

describe('an event that cannot be recorded', () => {
  const poison = (n: number) => turn(n, { time: 9e15 });

  it('is quarantined alone with its reason, and the others are recorded', async () => {
    const { store, record } = await open([turn(1), poison(2), turn(3), turn(4)]);
    const { standing, announce, lines, waiting } = await record();
    expect(await quarantinedIn(store)).toEqual({ '9104:2': 'cannot be recorded: RangeError: Invalid time value' });
    expect([announce.default?.length, lines.length, waiting, await waitingFor(store, hold)]).toEqual([3, 3, [], []]);
    expect(standing).toMatchObject({ revision: 3, stage: 'released' });
  });

  it('leaves the others of its batch leased to nobody', async () => {
    const { store, record } = await open([turn(1), poison(2)]);
    const { announce } = await record();
    expect(await store.outbox.lease(toDefault(announce.default?.[0] ?? ''), 1000)).toMatchObject({ id: held });
  });

  it('that is alone is quarantined, and nothing is known of its subject', async () => {
    const { store, record } = await open([poison(1)]);
    expect(await record()).toMatchObject({ standing: { revision: 0, snapshot: null }, announce: {}, lines: [] });
    expect(Object.keys(await quarantinedIn(store))).toEqual(['9104:1']);
  });

  it('is not searched for if only the store fails', async () => {
    const { store, deps, record } = await open([turn(1), turn(2)]);
    const error = new DocklineError('ERR_STORE_UNAVAILABLE', 'SQLite: database or disk is full');
    Object.assign(deps, { subjects: { ...store.subjects, record: () => Promise.reject(error) } });
    await expect(record()).rejects.toBe(error);
    Object.assign(deps, { subjects: store.subjects });
    expect([await quarantinedIn(store), await waitingFor(store, hold)]).toEqual([{}, ['9104:1', '9104:2']]);
  });
});

describe('what the warehouse refused', () => {
  const retrieved = { eventIds: [], snapshot: { status: 'open' }, calls: [] } as const;
  const refusal = { operation: 'getUser', id: '1', message: 'GET /uiproperties/users/1 answered 404' } as const;
  const call = { operation: 'getUser', status: 404, ms: 1 } as const;

  it('marks the subject until a retrieval is refused nothing', async () => {
    const { record } = await open([], order);
    const refused = await record({ retrieved: { ...retrieved, calls: [call], refused: [refusal] } });
    expect(refused.standing.attention).toEqual(['refused']);
    expect(refused.lines[0]).toContain(`getUser: ${refusal.message}`);
    expect((await record({ known: 1 })).standing.attention).toEqual(['refused']);
    expect(
      (await record({ known: 1, retrieved: { ...retrieved, calls: [call], refused: [] } })).standing.attention,
    ).toEqual([]);
  });

  it('marks it no more once it is released', async () => {
    const { record } = await open([], order);
    await record({ retrieved: { ...retrieved, calls: [call], refused: [refusal] } });
    const { standing, announce } = await record({ known: 1, release: true });
    expect([standing.attention, announce]).toEqual([[], {}]);
  });
});

describe('a stage whose limit is over', () => {
  /** An order that was created, and the limit of that stage. */
  async function openOverdue() {
    const { store, record } = await open([{ id: '9104:1', name: 'OrderCreate', time: 1 }], order);
    const { standing } = await record();
    const overdue = { stage: standing.stage, since: standing.stageSince };
    return { store, overdue, record: (input: Partial<RecordInput>) => record({ eventIds: [], known: 1, ...input }) };
  }

  it('has the subject stall, which is announced once', async () => {
    const { overdue, record } = await openOverdue();
    const { standing, announce, lines } = await record({ overdue });
    expect(standing).toMatchObject({ isStalled: true, attention: ['stalled'], revision: 2, stage: 'created' });
    expect([announce, lines]).toEqual([
      { default: ['order:9104:31004581/2/stalled'] },
      [expect.stringContaining('by the clock')],
    ]);
    expect((await record({ overdue, known: 2 })).announce).toEqual({});
  });

  it.each([
    ['the subject has moved on', { stage: 'packed' }],
    ['the subject left the stage and came back unknown to the run', { since: 1 }],
  ] as const)('changes nothing where %s', async (_, other) => {
    const { overdue, record } = await openOverdue();
    const { standing, announce } = await record({ known: 0, overdue: { ...overdue, ...other } });
    expect([standing.isStalled, standing.revision]).toEqual([false, 1]);
    expect(announce).toEqual({ default: ['order:9104:31004581/1/created'] });
  });

  it('has passed as long as nothing was recorded, whatever start time the run knows', async () => {
    const { overdue, record } = await openOverdue();
    expect((await record({ overdue: { ...overdue, since: 1 } })).standing.isStalled).toBe(true);
  });

  it('means nothing for a kind whose stages have no limits', async () => {
    const { record } = await open([turn(1)]);
    const { stage, stageSince: since } = (await record()).standing;
    expect(await record({ eventIds: [], known: 1, overdue: { stage, since } })).toMatchObject({ announce: {} });
  });

  it('is found whenever the subject is read, and only once', async () => {
    const { store } = await openOverdue();
    const deps = depsOn(store, { stageLimits: { created: 0 } });
    expect(await reloadOrStall(deps, { subject: order, known: 1 })).toMatchObject({
      standing: { isStalled: true, revision: 2 },
      announce: { default: ['order:9104:31004581/2/stalled'] },
    });
    expect((await reloadOrStall(deps, { subject: order, known: 2 })).standing.revision).toBe(2);
    expect((await reloadOrStall(depsOn(store), { subject: order, known: 2 })).standing.revision).toBe(2);
  });

  it('leaves what waits in the inbox', async () => {
    const { store, overdue, record } = await openOverdue();
    await deliver(store, order, { id: '9104:2', name: 'OrderUpdate', time: 2 });
    expect(await record({ overdue })).toMatchObject({ standing: { isStalled: true }, waiting: ['OrderUpdate'] });
    expect(await waitingFor(store, order)).toEqual(['9104:2']);
  });

  it('is recorded once until the subject moves, though it is released, which says who did it', async () => {
    const { store, overdue, record } = await openOverdue();
    await record({ overdue });
    const { standing, announce, lines } = await record({ known: 2, release: true, releasedBy: 'ada' });
    expect([standing.attention, standing.revision, announce]).toEqual([[], 2, {}]);
    expect(lines).toEqual([expect.stringMatching(/\*\*released\*\* by ada$/)]);
    await record({ overdue, known: 2 });
    const eventIds = await deliver(store, order, { id: '9104:2', name: 'OrderPackComplete', time: 2 });
    const moved = await record({ eventIds, known: 2 });
    expect(moved.announce).toEqual({ default: ['order:9104:31004581/3/packed', 'order:9104:31004581/4/resumed'] });
    expect(moved.standing).toMatchObject({ isStalled: false, stage: 'packed', attention: [] });
    expect(moved.standing.stageSince).toBeGreaterThanOrEqual(overdue.since);
  });
});

describe('a release', () => {
  it('ends the mark for an announcement that was given up, and announces nothing', async () => {
    const { store, record } = await open([turn(1)]);
    await record();
    await store.outbox.deadLetter(toDefault(held), 'answered 503');
    expect((await record({ known: 1 })).standing.attention).toEqual(['unannounced']);
    const { standing, announce } = await record({ known: 1, release: true });
    expect([standing, announce]).toEqual([expect.objectContaining({ attention: [], revision: 1 }), {}]);
  });
});

describe('the undo of a release', () => {
  const retrieved = { eventIds: [], snapshot: { status: 'open' }, refused: [] } as const;
  const refusals = (['getUser', 'getCustomer'] as const).map((operation) => ({ operation, message: 'answered 403' }));
  const callsOf = (operations: readonly (typeof refusals)[number]['operation'][]) =>
    operations.map((operation) => ({ operation, status: 200, ms: 1 }));

  it('brings back what was refused and not fetched since, and says who did it', async () => {
    const { store, record } = await open([], order);
    const refusedIn = async () =>
      (await store.subjects.load(order, 0)).saved?.refused.map(({ operation }) => operation);
    await record({ retrieved: { ...retrieved, calls: callsOf(['getUser', 'getCustomer']), refused: refusals } });
    await record({ release: true });
    await record({ retrieved: { ...retrieved, calls: callsOf(['getUser']) } });
    expect(await refusedIn()).toEqual([]);
    const { standing, lines } = await record({ known: 1, undoRelease: true, releasedBy: 'ada' });
    expect(standing.attention).toEqual(['refused']);
    expect(lines).toEqual([expect.stringMatching(/\*\*release undone\*\* by ada$/)]);
    expect(await refusedIn()).toEqual(['getCustomer']);
    await record({ release: true });
    await record({ retrieved: { ...retrieved, calls: callsOf(['getCustomer']) } });
    expect((await record({ undoRelease: true })).standing.attention).toEqual([]);
  });

  it('is the same when it, or the release before it, is done twice', async () => {
    const { record } = await open([], order);
    await record({ retrieved: { ...retrieved, calls: [], refused: refusals } });
    for (const _ of [1, 2]) await record({ release: true });
    for (const _ of [1, 2]) expect((await record({ undoRelease: true })).standing.attention).toEqual(['refused']);
    await record({ retrieved: { ...retrieved, calls: callsOf(['getUser', 'getCustomer']) } });
    expect((await record({ undoRelease: true })).standing.attention).toEqual([]);
  });

  it('brings back the mark for a dead letter, unless it is sent again', async () => {
    const { store, record } = await open([turn(1)]);
    await record();
    await store.outbox.deadLetter(toDefault(held), 'answered 503');
    await record({ release: true });
    expect((await record({ undoRelease: true })).standing.attention).toEqual(['unannounced']);
    await record({ release: true });
    await createRedelivery(store).requeue([held]);
    expect((await record({ undoRelease: true })).standing.attention).toEqual([]);
  });

  it('brings back the mark of a stall, unless the subject has moved', async () => {
    const { store, record } = await open([{ id: '9104:1', name: 'OrderCreate', time: 1 }], order);
    const { stage, stageSince: since } = (await record()).standing;
    await record({ eventIds: [], known: 1, overdue: { stage, since } });
    await record({ eventIds: [], release: true });
    expect((await record({ eventIds: [], undoRelease: true })).standing.attention).toEqual(['stalled']);
    await record({ eventIds: [], release: true });
    await record({ eventIds: await deliver(store, order, { id: '9104:2', name: 'OrderPackComplete', time: 2 }) });
    expect((await record({ eventIds: [], undoRelease: true })).standing).toMatchObject({ attention: [], revision: 4 });
  });
});

describe('a reload', () => {
  it('says that nothing is known of a subject that was never recorded, and records nothing', async () => {
    const { store, deps } = await open([turn(1)]);
    expect(await reloadOrStall(deps, { subject: hold, known: null })).toMatchObject({
      standing: { revision: 0, stage: 'created' },
      lines: [],
      announce: {},
      waiting: [],
    });
    expect(await store.db.selectFrom('subjects').selectAll().execute()).toEqual([]);
    expect(await waitingFor(store, hold)).toEqual(['9104:1']);
  });

  it('returns the current state, the lines since the known revision, and the announcements to send', async () => {
    const { store, deps, record } = await open([turn(1), turn(2)]);
    const { standing, lines } = await record();
    await store.outbox.sent(toDefault(held), { status: 204, ms: 1 });
    expect(await reloadOrStall(deps, { subject: hold, known: 1 })).toEqual({
      standing,
      lines: lines.slice(1),
      announce: { default: [freed] },
      waiting: [],
    });
    expect(await reloadOrStall(deps, { subject: hold, known: null })).toMatchObject({
      lines,
      announce: { default: [freed] },
    });
    expect(await reloadOrStall(deps, { subject: hold, known: 2 })).toMatchObject({
      lines: [],
      announce: { default: [freed] },
    });
  });
});
