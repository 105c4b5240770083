import { expect, it } from 'vitest';
import type { AllowedRow } from './allowed/allowed.ts';
import { drawAllowed, tableOf } from './allowed/picture.ts';

const measured = (median: number) => ({ rounds: [median], median, min: median, max: median });

const rowOf = (name: AllowedRow['name'], seconds: number, gets: number, outOfOrder: number): AllowedRow => ({
  name,
  orders: 40,
  limit: { gets: 9, seconds: 1.89 },
  seconds: measured(seconds),
  toDockline: 1,
  gets: measured(gets),
  refused: 0,
  outOfOrder,
  duplicates: 0,
  lost: 0,
});

const rows = [rowOf('Dockline', 4.7, 12, 0), rowOf('queue (BullMQ)', 235, 576, 49)];

it('the picture of a burst has a bar for each contender on one axis, and says in words what it shows', () => {
  const picture = drawAllowed([...rows, { ...rowOf('Dockline', 38.7, 81, 0), orders: 1000 }]);
  const widths = [...picture.matchAll(/width="([\d.]+)" height="16"/g)].map(([, width]) => Number(width));
  expect(widths).toEqual([expect.closeTo((4.7 / 235) * 430, 0), 430]);
  expect(picture).toContain('Dockline 4.7 s, 12 GETs; queue (BullMQ) 235 s, 576 GETs');
  expect(picture).toContain('576 GETs, 49 out of order');
});

it('the table of bursts has a line for each contender', () => {
  expect(tableOf(rows).split('\n')).toHaveLength(4);
  expect(tableOf(rows)).toContain('| 40 | Dockline | 4.7 s (4.7–4.7) | 1.89 s | 12 (12–12) | 9 | 0 | 0 | 0 |');
});
