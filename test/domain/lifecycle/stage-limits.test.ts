import { describe, expect, it } from 'vitest';
import type { Milestone } from '../../../src/domain/lifecycle/milestone.ts';
import { allLimits, isBeyond, openStagesOf, ownLimits, usualStageLimits } from '../../../src/domain/lifecycle/stage.ts';
import { lifecycleOf, reached } from '../../support/make.ts';

const at = (...milestones: readonly Milestone[]) => ({
  lifecycle: lifecycleOf({ registers: reached(...milestones) }),
  stageSince: 1000,
  customerId: '418',
});

describe('the limits of stages', () => {
  it('are the usual ones for every stage in which an order is open, unless others are given', () => {
    expect(Object.keys(usualStageLimits)).toEqual(openStagesOf('order'));
    expect(allLimits({ picked: 5, '418:packed': 6 })).toEqual({ ...usualStageLimits, picked: 5, '418:packed': 6 });
    expect([ownLimits({ picked: 5 }), ownLimits('none'), allLimits('none')]).toEqual([{ picked: 5 }, {}, {}]);
  });

  it.each<[string, Parameters<typeof isBeyond>, boolean]>([
    ['is within it', [{ picked: 500 }, 'order', at('picked'), 1499], false],
    ['is beyond it', [{ picked: 500 }, 'order', at('picked'), 1500], true],
    ['has a customer with a longer one', [{ picked: 500, '418:picked': 900 }, 'order', at('picked'), 1500], false],
    ['has a customer with a shorter one', [{ picked: 500, '418:picked': 1 }, 'order', at('picked'), 1001], true],
    ['is in a stage without one', [{ packed: 1 }, 'order', at('picked'), 9e9], false],
    ['has stalled already', [{ picked: 1 }, 'order', at('picked', 'stalled'), 9e9], false],
    ['is over', [{ picked: 1, confirmed: 1 }, 'order', at('picked', 'confirmed'), 9e9], false],
    ['is no order', [{ created: 1 }, 'receipt', at('created'), 9e9], false],
  ])('hold for an order that %s', (_, given, expected) => {
    expect(isBeyond(...given)).toBe(expected);
  });
});
