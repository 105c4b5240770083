import { isObject, type Reader, readerOf } from '../../base/json.ts';
import { readId } from '../wire-values.ts';

const PLACES = [
  ['readonly', 'customeridentifier', 'id'],
  ['customeridentifier', 'id'],
  ['readonly', 'customerid'],
  ['customerid'],
  ['customer', 'id'],
] as const;

/** A template names nobody. */
const PATH = /(?:^|\/)customers\/([^/?#{]+)/i;

export const customerInPath = (path: string): string | undefined => readId(PATH.exec(path)?.[1]);

const LINK_DEPTH = 4;

/** Customers that a record names, in any member, form or link: several if it contradicts itself. Nothing else reads whose a record is. */
export const customersIn = (read: Reader): readonly string[] => [
  ...new Set([
    ...PLACES.flatMap((path) => readId(read(...path)) ?? []),
    ...[read('_links'), read('links')].filter((it) => typeof it === 'object').flatMap((it) => linkedIn(it, LINK_DEPTH)),
  ]),
];

function linkedIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return [customerInPath(value) ?? []].flat();
  if (depth === 0 || !(isObject(value) || Array.isArray(value))) return [];
  // The name of a relation looks like a path: `customers/customer`.
  return Object.entries(value).flatMap(([name, it]) => (/^rel$/i.test(name) ? [] : linkedIn(it, depth - 1)));
}

export function customersNamedBy(record: string): readonly string[] {
  try {
    return customersIn(readerOf(JSON.parse(record)));
  } catch {
    return [];
  }
}
