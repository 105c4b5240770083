import { exactNumberIn, isObject, parseExactly, type Reader, readerOf } from '../../base/json.ts';
import { readId } from '../wire-values.ts';

/** Places of an order's id in whatever a pick list has of it; the form of one was never published. */
const PLACES = [['orderid'], ['readonly', 'orderid'], ['orderidentifier', 'id'], ['order', 'id']] as const;

/**
 * Returns what a pick list, as JSON text, has of one order: a job covers orders of several customers, none of whom may see the others'. Rows
 * of other orders are left out, at any depth. Undefined if it is about another order as a whole.
 */
export function pickListOf(orderId: string, pickList: string): string | undefined {
  const part = without(orderId, parseExactly(pickList));
  return part === undefined ? undefined : JSON.stringify(part);
}

function without(orderId: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((row) => without(orderId, row)).filter((row) => row !== undefined);
  if (!isObject(value) || exactNumberIn(value) !== undefined) return value;
  if (isOfAnother(orderId, readerOf(value))) return undefined;
  const members = Object.entries(value).map(([name, member]) => [name, without(orderId, member)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

const isOfAnother = (orderId: string, read: Reader): boolean =>
  PLACES.some((path) => {
    const named = readId(read(...path));
    return named !== undefined && named !== orderId;
  });
