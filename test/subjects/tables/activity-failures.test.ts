import { expect, it } from 'vitest';
import { unknownLifecycle } from '../../../src/domain/lifecycle/lifecycle.ts';
import { findSubject } from '../../../src/subjects/views/subject/row.ts';
import { describeOnBoth, openIn, type TestDatabase } from '../../store/databases.ts';
import { recordAs } from '../../store/recordings.ts';
import { decisionOf, lifecycleAt, order } from '../../support/make.ts';

const busy = { operation: 'getOrder', error: 'answered 503', nextTryAt: 2_000 };

async function openWith(database: TestDatabase) {
  const clock = { now: 1_000 };
  const store = await openIn(database, { now: () => clock.now });
  const find = async () => await findSubject(store, order);
  return { ...store, clock, find };
}

describeOnBoth('a trouble', (database) => {
  it('creates its subject if it is unknown', async () => {
    const { activityFailures, subjects, find } = await openWith(database);
    await activityFailures.note(order, 'retrieving', busy);
    expect(await find()).toMatchObject({
      ...order,
      stage: 'created',
      stageSince: new Date(1_000),
      revision: 0,
      lastEventAt: null,
      updatedAt: new Date(1_000),
      attention: ['failing'],
      announcing: null,
      retrieving: { ...busy, nextTryAt: new Date(2_000), since: new Date(1_000), attempts: 1 },
    });
    expect((await subjects.load(order, 0)).saved).toMatchObject({ lifecycle: unknownLifecycle, isUnannounced: false });
  });

  it('keeps its start, counts its attempts, and shows the last of them', async () => {
    const { activityFailures, clock, find } = await openWith(database);
    await activityFailures.note(order, 'retrieving', busy);
    clock.now = 5_000;
    await activityFailures.note(order, 'retrieving', { operation: 'getUser', error: 'no answer', nextTryAt: 9_000 });
    expect((await find())?.retrieving).toEqual({
      operation: 'getUser',
      error: 'no answer',
      status: null,
      nextTryAt: new Date(9_000),
      since: new Date(1_000),
      attempts: 2,
    });
  });

  it('changes nothing else about its subject', async () => {
    const { activityFailures, clock, subjects, find, ...store } = await openWith(database);
    const refused = [{ operation: 'getUser', id: '2108', message: 'GET answered 403', since: 1 }] as const;
    const { saved } = decisionOf({ lifecycle: lifecycleAt(4), refused, isUnannounced: true });
    await recordAs({ ...store, subjects }, order, saved);
    clock.now = 5_000;
    await activityFailures.note(order, 'announcing', { ...busy, operation: 'announce' });
    expect((await subjects.load(order, 0)).saved).toEqual(saved);
    expect(await find()).toMatchObject({
      updatedAt: new Date(1_000),
      attention: ['refused', 'unannounced', 'failing'],
    });
  });

  it('with the warehouse and one with the destination are independent', async () => {
    const { activityFailures, find } = await openWith(database);
    await activityFailures.note(order, 'retrieving', busy);
    await activityFailures.note(order, 'announcing', { ...busy, operation: 'announce' });
    expect(await find()).toMatchObject({ retrieving: { attempts: 1 }, announcing: { attempts: 1 } });
    await activityFailures.end(order, 'retrieving');
    expect(await find()).toMatchObject({ retrieving: null, announcing: { attempts: 1 }, attention: ['failing'] });
    await activityFailures.end(order, 'announcing');
    expect(await find()).toMatchObject({ retrieving: null, announcing: null, attention: [] });
  });

  it('starts over after it ended', async () => {
    const { activityFailures, clock, find } = await openWith(database);
    await activityFailures.note(order, 'retrieving', busy);
    await activityFailures.end(order, 'retrieving');
    clock.now = 5_000;
    await activityFailures.note(order, 'retrieving', busy);
    expect((await find())?.retrieving).toMatchObject({ since: new Date(5_000), attempts: 1 });
  });

  it('that does not exist ends without creating its subject', async () => {
    const { activityFailures, find } = await openWith(database);
    await activityFailures.end(order, 'retrieving');
    expect(await find()).toBeUndefined();
  });

  it('with the warehouse ends when a complete retrieval is recorded, and not otherwise', async () => {
    const { activityFailures, find, ...store } = await openWith(database);
    for (const activity of ['retrieving', 'announcing'] as const) await activityFailures.note(order, activity, busy);
    await recordAs(store, order, { retrieved: false });
    expect(await find()).toMatchObject({ retrieving: { attempts: 1 }, announcing: { attempts: 1 } });
    await recordAs(store, order, { retrieved: true });
    expect(await find()).toMatchObject({ retrieving: null, announcing: { attempts: 1 } });
  });

  it('with the warehouse is one of its GETs when it begins, with those of its first attempt', async () => {
    const { activityFailures, clock, find, ...store } = await openWith(database);
    const gets = [{ operation: 'getOrder', status: 503, ms: 12 }];
    const begun = { at: 1_000, gets, failure: { operation: 'getOrder', message: 'answered 503' } };
    await activityFailures.note(order, 'retrieving', { ...busy, gets });
    clock.now = 5_000;
    await activityFailures.note(order, 'retrieving', { ...busy, gets });
    await activityFailures.note(order, 'announcing', { ...busy, operation: 'announce' });
    expect((await find())?.retrievals).toEqual([begun]);
    const had = { at: 6_000, gets: [{ operation: 'getOrder', status: 200, ms: 3, others: 2 }] };
    await recordAs(store, order, { retrieval: had });
    expect((await find())?.retrievals).toEqual([begun, had]);
  });

  it('concerns one subject only', async () => {
    const { activityFailures, find, ...store } = await openWith(database);
    await recordAs(store, order);
    for (const other of [{ tenant: '9105' }, { kind: 'receipt' }, { id: '2' }] as const)
      await activityFailures.note({ ...order, ...other }, 'retrieving', busy);
    expect((await find())?.attention).toEqual([]);
  });
});
