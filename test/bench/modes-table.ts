import { figure } from './figure.ts';
import type { ModeRow, ModesResult } from './results.ts';
import { nameOf } from './standings.ts';

/** How fast both modes were, in rows with a heading; none where that was not measured. */
export function modesTableOf(modes: ModesResult | null): readonly string[][] {
  if (!modes) return [];
  const heading = [`modes, events a second, ${figure(modes.orders)} orders`, 'GET', 'destination', 'sent'];
  return [[...heading, 'median', 'min–max', 'to the textbook', 'to inline'], ...modes.rows.map(rowOf)];
}

function rowOf({ integration, mode, eventsPerSecond, ...row }: ModeRow): string[] {
  const { median, min, max } = eventsPerSecond;
  return [
    mode === null ? nameOf[integration] : `${nameOf[integration]}, ${mode}`,
    ...[`${row.getMs} ms`, `${row.destinationMs} ms`, row.pattern],
    ...[figure(median), `${figure(min)}–${figure(max)}`],
    ...[row.toTextbook, row.toInline].map(ratio),
  ];
}

const ratio = (value: number | null): string => (value === null || !Number.isFinite(value) ? '—' : `${figure(value)}×`);
