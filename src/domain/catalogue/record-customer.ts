import { type Reader, readerOf } from '../../base/json.ts';
import { readId } from '../wire-values.ts';

/** Places of the customer's id in a record of any kind. */
const PLACES = [
  ['readonly', 'customeridentifier', 'id'],
  ['customeridentifier', 'id'],
  ['readonly', 'customerid'],
  ['customerid'],
] as const;

/** Returns the ids of the customers that a record names, each once: one, none, or several if it contradicts itself. */
export const customersIn = (read: Reader): readonly string[] => [
  ...new Set(PLACES.flatMap((path) => readId(read(...path)) ?? [])),
];

/** Returns the ids of the customers that a record, as JSON text, names. */
export const customersNamedBy = (record: string): readonly string[] => customersIn(readerOf(JSON.parse(record)));
