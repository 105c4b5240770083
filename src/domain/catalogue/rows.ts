import { isObject, memberOf, readerOf } from '../../base/json.ts';

/** In HAL's `_embedded`, the relation that matches if there are several, or in `ResourceList`. A list of one may be that one itself. */
export function rowsOf(value: unknown, relation?: RegExp): readonly unknown[] | undefined {
  const embedded = Object.entries(memberOf(value, '_embedded') ?? {}).filter(([, rows]) => listOf(rows));
  const lists = embedded.filter(([, rows]) => Array.isArray(rows));
  const [, rows] = embedded.find(([name]) => relation?.test(name)) ?? (lists.length === 1 ? lists[0] : undefined) ?? [];
  return listOf(rows ?? memberOf(value, 'resourcelist'));
}

export function listOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  return isObject(value) ? [value] : undefined;
}

const ITEMS = /items?$/i;

/** Undefined for an order without that section. */
export function linesIn(order: unknown): readonly unknown[] | undefined {
  const read = readerOf(order);
  return (
    rowsOf({ _embedded: read('_embedded') }, ITEMS) ??
    rowsOf(read('items')) ??
    rowsOf({ resourcelist: read('orderitems') })
  );
}
