import { expect, it } from 'vitest';
import type { Store } from '../../../src/app/store.ts';
import { closingOf, leadSteps, leadTime } from '../../../src/domain/lifecycle/lead-times.ts';
import type { Lifecycle, Observation } from '../../../src/domain/lifecycle/lifecycle.ts';
import { type Milestone, milestones } from '../../../src/domain/lifecycle/milestone.ts';
import { limitReads } from '../../../src/store/limited-reads.ts';
import { groupClosed, type LeadGrouping, type LeadQuery, readClosed } from '../../../src/subjects/tables/lead-times.ts';
import { describeOnEither, openIn } from '../../store/databases.ts';
import { recordAs } from '../../store/recordings.ts';
import { lifecycleAt, orderOf } from '../../support/make.ts';

const DAY = 86_400_000;
const start = Date.UTC(2026, 1, 11);

/** Lifecycle with milestones at some milliseconds after the start. */
const passed = (times: { readonly [M in Milestone]?: number }, unseen: readonly Milestone[] = []): Lifecycle =>
  lifecycleAt(1, {
    registers: Object.fromEntries(
      Object.entries(times).map(([milestone, after]): [string, Observation] => [
        milestones[milestone as Milestone].register,
        {
          milestone: milestone as Milestone,
          time: start + after,
          eventId: unseen.includes(milestone as Milestone) ? null : '9104:1',
        },
      ]),
    ),
  });

const whole = { created: 0, fullyAllocated: 10, picked: 30, packed: 60 } as const;

it('lead times are those between the times of events, and of nothing that only a record has shown', () => {
  const timesOf = (lifecycle: Lifecycle, kind: 'order' | 'receipt' = 'order') => {
    const closing = closingOf(kind, lifecycle);
    return closing && leadSteps.map((step) => leadTime(step, closing));
  };
  const all = passed({ ...whole, confirmed: 100 });
  expect(closingOf('order', all)?.shippedAt).toBe(start + 100);
  expect(timesOf(all)).toEqual([10, 20, 30, 40, 100]);
  expect(timesOf(passed({ ...whole, confirmed: 100 }, ['picked']))).toEqual([10, undefined, undefined, 40, 100]);
  expect(timesOf(passed({ ...whole, confirmed: 20 }))).toEqual([10, 20, 30, 0, 20]);
  expect(timesOf(passed({ ...whole, unconfirmed: 100 }))).toBeUndefined();
  expect(timesOf(passed({ ...whole, confirmed: 100 }, ['confirmed']))).toBeUndefined();
  expect(timesOf(passed({ created: 0, confirmed: 9 }), 'receipt')?.at(-1)).toBe(9);
  expect(closingOf('adjustment', passed({ created: 0, confirmed: 9 }))).toBeUndefined();
});

describeOnEither('lead times', (database) => {
  const ask = async (
    { reads }: Pick<Store, 'reads'>,
    { by: grouping = 'all', ...query }: Partial<LeadQuery> & { readonly by?: LeadGrouping } = {},
  ) => {
    const closed = await readClosed(reads, { kind: 'order', since: start, until: start + 2 * DAY, ...query });
    return { share: closed.share, groups: groupClosed(closed, grouping) };
  };
  const close = (store: Store, id: string, customer: string, ms: number, carrier = 'UPS') =>
    recordAs(store, orderOf(id), {
      lifecycle: passed({ ...whole, confirmed: ms }),
      customerId: customer,
      facts: { carrier },
      deadline: { dueAt: start + 1000, atRiskAt: start, ruleAt: start, because: '' },
    });

  it('are told by customer, carrier and day, with the share that was in time', async () => {
    const store = await openIn(database);
    for (let n = 1; n <= 10; n += 1) await close(store, String(n), '418', 100 * n);
    await close(store, '11', '419', DAY + 500, 'FedEx');
    await recordAs(store, orderOf('12'), { lifecycle: passed(whole) });
    const [all] = (await ask(store)).groups;
    expect(all).toMatchObject({ group: null, closed: 11, withDeadline: 11, onTime: 10 });
    expect(all?.steps.allocated).toEqual({ count: 11, medianMs: 10, p90Ms: 10 });
    const byCustomer = await ask(store, { by: 'customer' });
    expect(byCustomer.share).toBe(1);
    expect(byCustomer.groups).toMatchObject([
      {
        group: '418',
        closed: 10,
        steps: { whole: { count: 10, medianMs: 500, p90Ms: 900 }, shipped: { medianMs: 440 } },
      },
      { group: '419', closed: 1, onTime: 0 },
    ]);
    expect((await ask(store, { by: 'carrier', customer: '419' })).groups).toMatchObject([
      { group: 'FedEx', closed: 1 },
    ]);
    expect((await ask(store, { by: 'day' })).groups).toMatchObject([
      { group: '2026-02-11', closed: 10 },
      { group: '2026-02-12', closed: 1 },
    ]);
    expect((await ask(store, { since: start + 3 * DAY, until: start + 4 * DAY })).groups).toEqual([]);
    expect((await ask(store, { kind: 'receipt' })).groups).toEqual([]);
  });

  it('have a scorecard of what was told before it was due', async () => {
    const store = await openIn(database);
    const forecast = {
      ...{ expectedAt: 1, earliest: 1, latest: 1, step: 'pick', ahead: 1 },
      comparable: 30,
      usualMs: 1,
    };
    const closeNotified = (id: string, ms: number, notifiedAt: number | undefined) =>
      recordAs(store, orderOf(id), {
        lifecycle: passed({ ...whole, confirmed: ms }),
        deadline: {
          ...{
            dueAt: start + 1000,
            atRiskAt: notifiedAt ?? start + 1000,
            ruleAt: start + 500,
            notifiedAt,
            because: '',
          },
          forecast: { ...forecast, step: 'pick', slowdown: 1, changes: notifiedAt ? 1 : 0 },
        },
      });
    await closeNotified('1', 1500, start + 400);
    await closeNotified('2', 1500, start + 600);
    await closeNotified('3', 900, start + 400);
    await closeNotified('4', 1500, undefined);
    await closeNotified('5', 400, undefined);
    // It was told when it was overdue already.
    await closeNotified('6', 1500, start + 1200);
    const [all] = (await ask(store)).groups;
    expect(all?.notified).toEqual({ count: 3, late: 2, unheard: 2, aheadMs: 600 });
  });

  it('are those of the customer alone for who is limited to one, and of no order that was reopened', async () => {
    const store = await openIn(database);
    await close(store, '1', '418', 100);
    await close(store, '2', '419', 900);
    const reads = limitReads(store.reads, {
      token: 'alder',
      limits: [{ tenant: '9104', customer: '418' }],
    });
    expect((await ask({ reads }, { by: 'customer' })).groups).toMatchObject([{ group: '418', closed: 1 }]);
    await recordAs(store, orderOf('1'), {
      lifecycle: passed({ ...whole, unconfirmed: 200 }),
      customerId: '418',
    });
    expect((await ask({ reads })).groups).toEqual([]);
    expect((await ask(store)).groups).toMatchObject([{ closed: 1 }]);
  });

  /** Stores closed orders by their numbers. */
  async function fill(
    { db }: Pick<Store, 'db'>,
    count: number,
    rowOf: (n: number) => { readonly closed_at: number; readonly sample: number; readonly wholeMs: number },
  ) {
    const subject = { tenant: '9104', kind: 'order' } as const;
    const rows = Array.from({ length: count }, (_, n) => {
      const { wholeMs, ...row } = rowOf(n);
      const waited = JSON.stringify({ allocate: row.closed_at - wholeMs });
      return { ...subject, subject_id: String(n), ...row, waited };
    });
    for (let from = 0; from < count; from += 2000)
      await db
        .insertInto('lead_times')
        .values(rows.slice(from, from + 2000))
        .execute();
  }

  it('of many are those of a sample, with estimated counts', async () => {
    const store = await openIn(database);
    await fill(store, 64_000, (n) => ({ closed_at: start + n, sample: n % 64, wholeMs: n % 1000 }));
    const { share, groups } = await ask(store);
    expect(share).toBe(4 / 64);
    expect(groups).toMatchObject([{ closed: 64_000, steps: { whole: { count: 64_000 } } }]);
    expect(Math.abs((groups[0]?.steps.whole?.medianMs ?? 0) - 500)).toBeLessThan(20);
  });

  it('of more than one sample is to have are those of every so many seconds', async () => {
    const store = await openIn(database);
    await fill(store, 12_000, (n) => ({ closed_at: start + n * 1000, sample: 0, wholeMs: n }));
    const { share, groups } = await ask(store);
    expect(share).toBe(1 / 64 / 3);
    expect(groups).toMatchObject([{ closed: 4000 * 64 * 3, steps: { whole: { medianMs: 5997 } } }]);
  });
});
