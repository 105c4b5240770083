import { expect, it } from 'vitest';
import type { SubjectRef } from '../../../src/domain/catalogue/subject.ts';
import type { Lifecycle } from '../../../src/domain/lifecycle/lifecycle.ts';
import type { Milestone } from '../../../src/domain/lifecycle/milestone.ts';
import { createOverdue } from '../../../src/subjects/tables/deadlines.ts';
import { describeOnBoth, openIn } from '../../store/databases.ts';
import { dueSteps, recordAs, takeKeys } from '../../store/recordings.ts';
import { lifecycleOf, orderOf, reached } from '../../support/make.ts';

const lifecycleAt = (customerId: string | undefined, ...milestones: readonly Milestone[]): Lifecycle => ({
  ...lifecycleOf({ revision: 1, registers: reached(...milestones) }),
  ...(customerId !== undefined && { snapshot: { status: 'open', customerId } }),
});

describeOnBoth('subjects whose clock has run out', (database) => {
  it('are due to be woken by stage and customer, unless they were announced as stalled', async () => {
    const clock = { now: 0 };
    const store = await openIn(database, { now: () => clock.now });
    const record = (id: string, lifecycle: Lifecycle, kind: SubjectRef['kind'] = 'order') =>
      recordAs(store, { tenant: '9104', kind, id }, { lifecycle, stageSince: clock.now });
    await record('1', lifecycleAt(undefined, 'created'));
    await record('2', lifecycleAt('418', 'created'));
    await record('3', lifecycleAt('419', 'created'));
    await record('4', lifecycleAt('419', 'created', 'stalled'));
    await record('5', lifecycleAt('419', 'created', 'packed'));
    await record('6', lifecycleAt('419', 'created'), 'receipt');
    clock.now = 50;
    await record('7', lifecycleAt('419', 'created'));

    /** Returns the ids of those that are made due to be woken where nothing else is. */
    const listed = async (limits: Readonly<Record<string, number>>) => {
      await store.db.deleteFrom('due').execute();
      await createOverdue(store, limits)();
      return (await takeKeys(store)).map((key) => key.split(':').at(-1));
    };
    clock.now = 1000;
    expect(await listed({})).toEqual([]);
    expect(await listed({ created: 900 })).toEqual(['1', '2', '3', '7']);
    expect(await listed({ created: 1000 })).toEqual(['1', '2', '3']);
    expect(await listed({ created: 1001 })).toEqual([]);
    expect(await listed({ created: 900, '418:created': 5000 })).toEqual(['1', '3', '7']);
    expect(await listed({ '418:created': 900, packed: 900 })).toEqual(['2', '5']);
  });

  it('are due to be woken, of every kind, a while after their deadline has passed', async () => {
    const clock = { now: 1000 };
    const store = await openIn(database, { now: () => clock.now });
    const record = (id: string, lateAt: number | undefined, kind: SubjectRef['kind'] = 'order') =>
      recordAs(store, { tenant: '9104', kind, id }, { lifecycle: lifecycleAt(undefined, 'created'), lateAt });
    await record('1', 5000);
    await record('2', 5000, 'receipt');
    await record('3', 9000);
    await record('4', undefined);
    await store.db.deleteFrom('due').execute();
    clock.now = 19_999;
    const wakeOverdue = createOverdue(store, {});
    await wakeOverdue();
    expect(await takeKeys(store)).toEqual([]);
    clock.now = 20_000;
    await wakeOverdue();
    expect((await takeKeys(store)).toSorted()).toEqual(['order:9104:1', 'receipt:9104:2']);
  });

  it('are woken again only once their workflow was found to have nothing to do', async () => {
    const clock = { now: 1000 };
    const store = await openIn(database, { now: () => clock.now });
    const subject = orderOf('1');
    await recordAs(store, subject, { lifecycle: lifecycleAt(undefined, 'created'), stageSince: 0 });
    const wakeOverdue = createOverdue(store, { created: 900 });
    await wakeOverdue();
    expect(await takeKeys(store)).toEqual(['order:9104:1']);
    await wakeOverdue();
    expect(await dueSteps(store)).toEqual({ 'order:9104:1': 'woken' });
    clock.now += 1000;
    expect(await store.due.takeChecks(1000, 10)).toEqual({ taken: 1, open: [] });
    await wakeOverdue();
    expect(await takeKeys(store)).toEqual(['order:9104:1']);
  });
});
