import { expect, it } from 'vitest';
import type { SteadyRow } from './steady.ts';
import { costTable, latencyTable } from './table.ts';

const measured = (median: number) => ({ rounds: [median], median, min: median, max: median });

const rowOf = (name: SteadyRow['name'], perSecond: number, reached: number): SteadyRow => ({
  name,
  perSecond,
  p50Ms: measured(20),
  p99Ms: measured(80),
  answerP99Ms: measured(6),
  reached: measured(reached),
  processMs: measured(12),
  temporalMs: measured(9),
  mainThreadMs: measured(7),
  threadsMs: { main: 7 },
  memoryMb: measured(480),
  idle: null,
  lost: 0,
  duplicates: 0,
  outOfOrder: name === 'least workflow on Temporal' ? 2 : 0,
});

const rows = [
  rowOf('Dockline on SQLite, inline', 5, 5),
  rowOf('Dockline on SQLite, inline', 60, 59),
  rowOf('least workflow on Temporal', 5, 5),
  rowOf('least workflow on Temporal', 60, 41),
];

it('the table of single events has a line for each contender, and says where one falls behind', () => {
  expect(latencyTable(rows).split('\n')).toEqual([
    '| webhook to announcement, p50 / p99 | 5 a second | 60 a second |',
    '| --- | --- | --- |',
    '| Dockline on SQLite, inline | 20 / 80 ms | 20 / 80 ms |',
    '| least workflow on Temporal | 20 / 80 ms, 2 out of order | 41 a second, 2 out of order |',
  ]);
});

it('the table of their cost has a line for each contender and rate', () => {
  expect(costTable(rows).split('\n')).toHaveLength(6);
  expect(costTable(rows)).toContain('| 60 | 20 ms | 80 ms | 6 ms | 59 | 12 ms | 7 ms | 9 ms | 480 MB | 0, 0 |');
});
