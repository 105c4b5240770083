import { expect, it } from 'vitest';
import { stepsOf } from '../../../src/admin/board/stage.ts';
import type { Observation } from '../../../src/domain/lifecycle/lifecycle.ts';
import { courseOfOrders } from '../../../src/domain/lifecycle/stage.ts';

const seen = (milestone: Observation['milestone'], time: number): Observation => ({ milestone, time, eventId: null });

it('an order has yet to reach only what comes after the furthest milestone that it has', () => {
  const registers = {
    existence: seen('created', 10),
    change: seen('updated', 15),
    pick: seen('picked', 30),
    attention: seen('stalled', 40),
    lateness: seen('overdue', 50),
  };
  const steps = stepsOf('order', { registers, inferred: [] });
  expect(steps.map(({ milestone, at, ms }) => [milestone, at, ms])).toEqual([
    ['created', 10, 20],
    ['picked', 30, null],
    ...courseOfOrders.slice(courseOfOrders.indexOf('picked') + 1).map((ahead) => [ahead, null, null]),
  ]);
});
