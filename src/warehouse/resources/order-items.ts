import { parseExactly } from '../../domain/exact-json.ts';
import { readerOf } from '../../domain/members.ts';
import { rowsOf } from './resource.ts';

/** The lines in an order; undefined for one without that section. */
export function linesIn(order: unknown): readonly unknown[] | undefined {
  const read = readerOf(order);
  return (
    rowsOf({ _embedded: read('_embedded') }) ?? rowsOf(read('items')) ?? rowsOf({ resourcelist: read('orderitems') })
  );
}

/** The lines of an order as JSON text, digit by digit, by their ids. */
export function orderItemsIn(orderText: string): ReadonlyMap<string, string> {
  const lines = linesIn(parseExactly(orderText)) ?? [];
  return new Map(lines.map((line) => [String(readerOf(line)('readonly', 'orderitemid')), JSON.stringify(line)]));
}
