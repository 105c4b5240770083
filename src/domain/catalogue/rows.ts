import { memberOf, readerOf } from '../../base/json.ts';

/**
 * Returns the rows of a page or of a list within a resource: those under HAL's `_embedded`, or its `ResourceList`. Of several lists it
 * returns the one whose relation matches.
 */
export function rowsOf(value: unknown, relation?: RegExp): readonly unknown[] | undefined {
  const embedded = Object.entries(memberOf(value, '_embedded') ?? {}).filter(([, rows]) => Array.isArray(rows));
  const [, rows] =
    embedded.find(([name]) => relation?.test(name)) ?? (embedded.length === 1 ? embedded[0] : undefined) ?? [];
  const list = rows ?? memberOf(value, 'resourcelist');
  return Array.isArray(list) ? list : undefined;
}

/** Relation of an order's lines. */
const ITEMS = /items?$/i;

/** Returns the lines in an order; undefined for one without that section. */
export function linesIn(order: unknown): readonly unknown[] | undefined {
  const read = readerOf(order);
  return (
    rowsOf({ _embedded: read('_embedded') }, ITEMS) ??
    rowsOf(read('items')) ??
    rowsOf({ resourcelist: read('orderitems') })
  );
}
