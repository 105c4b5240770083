import { figure } from './figure.ts';
import type { CostResult, OrderCost } from './results.ts';

const columns: readonly (readonly [heading: string, measure: (cost: OrderCost) => number])[] = [
  ['history', ({ events }) => events],
  ['bytes', ({ bytes }) => bytes],
  ['signals', ({ signals }) => signals],
  ['workflow tasks', ({ workflowTasks }) => workflowTasks],
  ['local activities', ({ localActivities }) => localActivities],
  ['activities', ({ activities }) => activities],
  ['upserts', ({ upserts }) => upserts],
  ['timers', ({ timers }) => timers],
  ['actions', ({ actions }) => actions],
  ['GETs an event', ({ calls }) => calls],
];

/** What orders of six events cost, in rows with a heading; none where that was not counted. */
export function costTableOf(cost: CostResult | null): readonly string[][] {
  if (!cost) return [];
  const row = (name: string, one: OrderCost) => [name, ...columns.map(([, measure]) => figure(measure(one)))];
  return [
    ['an order of six events', ...columns.map(([heading]) => heading)],
    row('inline, one by one', cost.inline.oneByOne),
    row('inline, burst', cost.inline.burst),
    row('regular, one by one', cost.regular.oneByOne),
    row('regular, burst', cost.regular.burst),
  ];
}
