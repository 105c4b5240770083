import type { Resource } from '../resources/resource.ts';
import { fieldOf } from './field.ts';

/**
 * Sorts rows by the fields of a list such as `readOnly.lastModifiedDate,-readOnly.orderId`, where `-` turns the order round;
 * rows that do not differ keep their places. That form of the parameter is a guess.
 */
export function sortRows(rows: readonly Resource[], sort: string): readonly Resource[] {
  const keys = sort
    .split(',')
    .map((key) => ({ path: key.trim().replace(/^[+-]/, ''), sign: /^\s*-/.test(key) ? -1 : 1 }));
  return rows.toSorted((a, b) => {
    for (const { path, sign } of keys) {
      const order = compare(fieldOf(a, path), fieldOf(b, path));
      if (order !== 0) return sign * order;
    }
    return 0;
  });
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [String(a ?? ''), String(b ?? '')];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
