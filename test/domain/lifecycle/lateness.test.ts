import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kindsWithDeadlines } from '../../../src/domain/deadlines/rule.ts';
import { latenessOf, nextLatenessAt, observeLateness } from '../../../src/domain/lifecycle/attention.ts';
import type { Lifecycle } from '../../../src/domain/lifecycle/lifecycle.ts';
import type { Milestone } from '../../../src/domain/lifecycle/milestone.ts';
import { lifecycleOf } from '../../support/make.ts';

const HOUR_MS = 3_600_000;
const open = lifecycleOf({ revision: 1 });
const closed = (lifecycle: Lifecycle): Lifecycle => ({
  ...lifecycle,
  registers: { ...lifecycle.registers, closing: { milestone: 'confirmed', time: 1, eventId: '9104:1' } },
});
const deadline = { dueAt: 5 * HOUR_MS, atRiskAt: 3 * HOUR_MS, ruleAt: 3 * HOUR_MS, because: 'same day' };

/** Observes an order at one time after the other, and returns what is announced. */
function announcedAt(...hours: readonly number[]) {
  let lifecycle = open;
  return hours.flatMap((hour) => {
    const observed = observeLateness('order', { lifecycle, deadline }, hour * HOUR_MS);
    lifecycle = observed.lifecycle;
    return observed.changes.map(({ milestone, time, late }) => [milestone, time / HOUR_MS, late]);
  });
}

describe('the clock', () => {
  it('announces an order as at risk, and then as overdue, once each', () => {
    expect(announcedAt(2, 3, 4, 5, 6)).toEqual([
      ['atRisk', 3, false],
      ['overdue', 5, false],
    ]);
  });

  it('names the time of the deadline, and says that it is late, after an outage', () => {
    expect(announcedAt(4)).toEqual([['atRisk', 3, true]]);
    expect(announcedAt(50)).toEqual([['overdue', 5, true]]);
  });

  it.each(['atRisk', 'overdue'] as const)(
    'announces that an order which was %s has recovered once it is closed',
    (was) => {
      const at = was === 'atRisk' ? 3 * HOUR_MS : 5 * HOUR_MS;
      const { lifecycle } = observeLateness('order', { lifecycle: open, deadline }, at);
      const over = { lifecycle: closed(lifecycle), deadline };
      expect(observeLateness('order', over, 6 * HOUR_MS).changes).toMatchObject([
        { milestone: 'recovered', time: 6 * HOUR_MS, cause: 'clock', late: false },
      ]);
      expect(observeLateness('order', { lifecycle: closed(open), deadline }, 6 * HOUR_MS).changes).toEqual([]);
    },
  );

  it.each<[string, number | undefined, Milestone[]]>([
    ['later', 50, ['recovered']],
    ['to where it is at risk', 7, ['atRisk']],
    ['away', undefined, ['recovered']],
    ['earlier', 1, []],
  ])('follows a deadline that moves %s', (_, hour, expected) => {
    const { lifecycle } = observeLateness('order', { lifecycle: open, deadline }, 5.5 * HOUR_MS);
    const moved =
      hour === undefined ? undefined : { ...deadline, dueAt: hour * HOUR_MS, atRiskAt: (hour - 2) * HOUR_MS };
    const dated = { lifecycle, deadline: moved };
    const { changes } = observeLateness('order', dated, 5.5 * HOUR_MS);
    expect(changes.map(({ milestone }) => milestone)).toEqual(expected);
    expect(nextLatenessAt('order', dated, 5.5 * HOUR_MS) === 5.5 * HOUR_MS).toBe(expected.length > 0);
  });

  it('finds something when it said it would, and not before', () => {
    const step = fc.record({
      afterMs: fc.nat(10 * HOUR_MS),
      isClosed: fc.boolean(),
      deadline: fc.option(
        fc.record({ dueAt: fc.nat(30 * HOUR_MS), riskMs: fc.nat(5 * HOUR_MS) }).map(({ dueAt, riskMs }) => ({
          dueAt,
          atRiskAt: dueAt - riskMs,
          ruleAt: dueAt - riskMs,
          because: '',
        })),
        { nil: undefined },
      ),
    });
    fc.assert(
      fc.property(fc.constantFrom(...kindsWithDeadlines), fc.array(step, { maxLength: 8 }), (kind, steps) => {
        let now = 0;
        let lifecycle = open;
        for (const { afterMs, isClosed, deadline } of steps) {
          const moved = { lifecycle: isClosed ? closed(lifecycle) : lifecycle, deadline };
          const observed = observeLateness(kind, moved, now);
          const dated = { lifecycle: observed.lifecycle, deadline };
          // What was announced is so.
          const lateness = latenessOf(observed.lifecycle);
          if (lateness)
            expect(now).toBeGreaterThanOrEqual(deadline?.[lateness === 'overdue' ? 'dueAt' : 'atRiskAt'] ?? Number.NaN);
          // Observing twice announces nothing.
          expect(observeLateness(kind, dated, now).changes).toEqual([]);
          const next = nextLatenessAt(kind, dated, now);
          if (next === undefined) expect(observeLateness(kind, dated, Number.MAX_SAFE_INTEGER).changes).toEqual([]);
          else {
            expect(observeLateness(kind, dated, next - 1).changes).toEqual([]);
            expect(observeLateness(kind, dated, next).changes).toHaveLength(1);
          }
          const { closing: _closing, ...registers } = observed.lifecycle.registers;
          lifecycle = { ...observed.lifecycle, registers };
          now += afterMs;
        }
      }),
    );
  });
});
