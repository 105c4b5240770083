import { expect, it } from 'vitest';
import { drawAllowed, tableOf } from './allowed/picture.ts';
import type { Results } from './report.ts';
import { costTable, latencyTable } from './steady/table.ts';

type SteadyRow = Results['steady'][number];
type AllowedRow = Results['allowed'][number];

const measured = (median: number) => ({ rounds: [median], median, min: median, max: median });
const flawless = { lost: 0, duplicates: 0, outOfOrder: 0 };

const steadyRow = (name: SteadyRow['name'], perSecond: number, reached: number, ms: number): SteadyRow => ({
  ...flawless,
  ...{
    name,
    perSecond,
    p50Ms: measured(20),
    p99Ms: measured(80),
    answerP99Ms: measured(6),
    reached: measured(reached),
  },
  ...{ processMs: measured(ms), temporalMs: measured(ms / 2), memoryMb: measured(480), idle: null },
});

const steady = [
  steadyRow('Dockline on SQLite, inline', 5, 5, 12),
  steadyRow('Dockline on SQLite, inline', 60, 59, 12),
  { ...steadyRow('least workflow on Temporal', 5, 5, 8), outOfOrder: 2 },
  steadyRow('least workflow on Temporal', 60, 41, 8),
];

it('the table of single events has a line for each contender, and says where one falls behind', () => {
  expect(latencyTable(steady).split('\n')).toEqual([
    '| webhook to announcement, p50 / p99 | 5 a second | 60 a second |',
    '| --- | --- | --- |',
    '| Dockline on SQLite, inline | 20 / 80 ms | 20 / 80 ms |',
    '| least workflow on Temporal | 20 / 80 ms, 2 out of order | 41 a second |',
  ]);
});

it('the table of their cost has a line for each contender on Temporal, and the ratio where both keep up', () => {
  expect(costTable(steady).split('\n').slice(2)).toEqual([
    '| Dockline on SQLite, inline | 12 + 6 | 12 + 6 |',
    '| least workflow on Temporal | 8 + 4 |  |',
    '| together, Dockline on SQLite to the least | 1.5 |  |',
  ]);
});

const allowedRow = (name: AllowedRow['name'], seconds: number, gets: number, outOfOrder = 0): AllowedRow => ({
  ...{ ...flawless, name, orders: 40, limit: { gets: 9, seconds: 1.89 }, outOfOrder },
  ...{ seconds: measured(seconds), toDockline: 1, gets: measured(gets), refused: 0 },
});

const allowed = [allowedRow('Dockline', 4.7, 12), allowedRow('queue (BullMQ)', 235, 576, 49)];

it('the picture of a burst has a bar for each contender on one axis, and says in words what it shows', () => {
  const picture = drawAllowed([...allowed, { ...allowedRow('Dockline', 38.7, 81), orders: 1000 }]);
  const widths = [...picture.matchAll(/width="([\d.]+)" height="16"/g)].map(([, width]) => Number(width));
  expect(widths).toEqual([expect.closeTo((4.7 / 235) * 430, 0), 430]);
  expect(picture).toContain('Dockline 4.7 s, 12 GETs; queue (BullMQ) 235 s, 576 GETs');
  expect(picture).toContain('576 GETs, 49 out of order');
  expect(tableOf(allowed)).toContain('| 40 | Dockline | 4.7 s (4.7–4.7) | 1.89 s | 12 (12–12) | 9 | 0 | 0 | 0 |');
});
