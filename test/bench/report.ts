import { formatTable } from '../../src/cli/output.ts';
import { costTableOf } from './cost-table.ts';
import { figure, figureThat } from './figure.ts';
import { type Goal, goalsOf, isReached } from './goals.ts';
import { modesTableOf } from './modes-table.ts';
import type { Pattern, Results } from './results.ts';
import { settingOf } from './setting.ts';
import { intakeStandingsOf, nameOf, quietStandingsOf, type Standing, standingsOf } from './standings.ts';
import type { Measured } from './statistics.ts';

/** What a person reads at the end: who was how fast, then every goal, then what was missed. */
export function report(results: Results): string {
  const goals = goalsOf(results);
  return [
    settingOf(results).join('\n'),
    table('intake, requests a second', 'to bare Fastify', intakeStandingsOf(results).map(standingRow)),
    unlessEmpty([['end to end, events a second', '', ...columns, 'to the textbook'], ...endToEndRows(results)]),
    table('one webhook when idle, ms', 'to the textbook', quietStandingsOf(results).map(standingRow)),
    unlessEmpty(costTableOf(results.cost)),
    unlessEmpty(modesTableOf(results.modes)),
    details(results),
    formatTable([['figure', 'measured', 'goal', 'reached'], ...goals.map(goalRow)]),
    verdict(goals),
  ]
    .filter(Boolean)
    .join('\n\n');
}

const columns = ['median', 'min–max'];

const table = (title: string, comparison: string, rows: readonly string[][]): string =>
  unlessEmpty([[title, ...columns, comparison], ...rows]);

/** No table where there is nothing but its heading. */
const unlessEmpty = (rows: readonly string[][]): string => (rows.length > 1 ? formatTable(rows) : '');

const endToEndRows = (results: Results): string[][] =>
  (['16', '64', 'burst'] satisfies Pattern[]).flatMap((pattern) =>
    standingsOf(results, pattern).map((standing) => {
      const [name = '', ...figures] = standingRow(standing);
      return [name, pattern, ...figures];
    }),
  );

const standingRow = ({ contender, measured, ratio }: Standing): string[] => [
  nameOf[contender],
  figure(measured.median),
  spread(measured),
  ratio === null ? '—' : `${figure(ratio)}×`,
];

const spread = ({ min, max }: Measured): string => `${figure(min)}–${figure(max)}`;

/** What the figures with goals leave out. */
function details({ slowWarehouse, growth, memory, hostile }: Results): string {
  return [
    slowWarehouse &&
      `slow warehouse  ${slowWarehouse.orders} orders in ${figure(slowWarehouse.seconds)} s, ${slowWarehouse.calls} calls, ${slowWarehouse.refused} of them refused`,
    growth && `backlog         ${figure(growth.rows.small)} rows, then ${figure(growth.rows.large)}`,
    memory &&
      `memory          service ${figure(memory.service.before)} MB before, ${figure(memory.service.peak)} at most, ${figure(memory.service.after)} after; taking webhooks in ${figure(memory.webhooks)}; worker ${figure(memory.worker.peak)} with ${memory.worker.cachedWorkflows} workflows cached`,
    hostile &&
      `hostile input   ${figure(hostile.attacks)} attacks; slowest of a hundred good answers ${figure(hostile.quietP99Ms)} ms without, ${figure(hostile.hostileP99Ms)} ms beside`,
  ]
    .filter(Boolean)
    .join('\n');
}

const goalRow = (goal: Goal): string[] => [
  goal.name,
  measuredOf(goal),
  aimOf(goal),
  goal.reached === null ? '—' : goal.reached ? 'yes' : 'no',
];

const measuredOf = (goal: Goal): string =>
  goal.measured === null
    ? '—'
    : `${figureThat(goal.measured, (written) => isReached(written, goal))} ${goal.unit}`.trim();

const signs = { atLeast: '≥', atMost: '≤' } as const;
const aimOf = ({ goal, kind }: Goal): string => (goal === 0 ? '0' : `${signs[kind]} ${figure(goal)}`);

function verdict(goals: readonly Goal[]): string {
  const missed = goals.filter(({ reached }) => reached === false);
  const open = goals.filter(({ reached }) => reached === null).length;
  const but = open > 0 ? ` ${open} of ${goals.length} were not measured.` : '';
  if (missed.length === 0) return `No goal is missed.${but}`;
  const lines = missed.map((goal) => `missed: ${goal.name} is ${measuredOf(goal)}, not ${aimOf(goal)}`);
  return [...lines, `NOT all goals are reached: ${missed.length} of ${goals.length} are missed.${but}`].join('\n');
}
