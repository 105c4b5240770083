import { expect, it } from 'vitest';
import type { SubjectRef } from '../../../src/domain/catalogue/subject.ts';
import { type Lifecycle, unknownLifecycle } from '../../../src/domain/lifecycle/lifecycle.ts';
import { type Milestone, registerOf } from '../../../src/domain/lifecycle/milestone.ts';
import { createOverdueStages } from '../../../src/store/tables/overdue-stages.ts';
import { describeOnBoth, openIn } from '../databases.ts';
import { recordAs } from '../recordings.ts';

const lifecycleAt = (customerId: string | undefined, ...milestones: readonly Milestone[]): Lifecycle => ({
  ...unknownLifecycle,
  revision: 1,
  registers: Object.fromEntries(
    milestones.map((milestone) => [registerOf(milestone), { milestone, time: 1, eventId: null }]),
  ),
  ...(customerId !== undefined && { snapshot: { status: 'open', customerId } }),
});

describeOnBoth('orders beyond the limit of their stage', (database) => {
  it('are listed by stage and customer, page by page, unless they were announced as stalled', async () => {
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

    const listed = async (limits: Readonly<Record<string, number>>, limit = 10, ageMs = 0) => {
      const list = createOverdueStages(store, limits);
      const ids: string[] = [];
      let after = { at: 0, id: '' };
      for (;;) {
        const page = await list(ageMs, after, limit);
        ids.push(...page.map(({ subject }) => subject.id));
        const last = page.at(-1);
        if (!last || page.length < limit) return ids;
        after = last;
      }
    };
    clock.now = 1000;
    expect(await listed({})).toEqual([]);
    for (const limit of [1, 2, 10]) expect(await listed({ created: 900 }, limit)).toEqual(['1', '2', '3', '7']);
    expect(await listed({ created: 1000 })).toEqual(['1', '2', '3']);
    expect(await listed({ created: 1000 }, 10, 1)).toEqual([]);
    expect(await listed({ created: 900, '418:created': 5000 })).toEqual(['1', '3', '7']);
    expect(await listed({ '418:created': 900, packed: 900 })).toEqual(['2', '5']);
  });
});
