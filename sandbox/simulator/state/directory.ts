import type { Stream } from '../random.ts';

/** Id and name, as the API writes a reference to something. */
export interface Identifier {
  readonly id: number;
  readonly name: string;
}

/** Customer of the warehouse tenant. */
export interface Customer extends Identifier {
  readonly externalId: string;
}

/** Item that a customer stores. */
export interface StockItem {
  readonly id: number;
  readonly sku: string;
}

/** User that the warehouse names for changes that no person made. */
export const system: Identifier = { id: -1, name: 'System' };

/** People who work in the warehouse. */
export const users: readonly [Identifier, ...Identifier[]] = [
  { id: 2108, name: 'm.okafor' },
  { id: 2109, name: 'j.lindqvist' },
  { id: 2110, name: 's.ferreira' },
  { id: 2111, name: 'd.novak' },
];

/** Customers whose goods the warehouse stores. */
export const customers: readonly [Customer, ...Customer[]] = [
  { id: 418, name: 'Alder Tea Company', externalId: 'ALDER' },
  { id: 419, name: 'Brightwater Audio', externalId: 'BRIGHT' },
  { id: 420, name: 'Cobalt Cycling', externalId: 'COBALT' },
];

/** Buildings of the warehouse. */
const facilities: readonly [Identifier, ...Identifier[]] = [
  { id: 12, name: 'Reno' },
  { id: 14, name: 'Harrisburg' },
];

/** Items that orders, receipts and stock refer to by default. */
export const items: readonly [StockItem, ...StockItem[]] = [
  { id: 7001, sku: 'TEA-GREEN-100' },
  { id: 7002, sku: 'HDPHN-BLK' },
  { id: 7003, sku: 'TIRE-700C' },
  { id: 7004, sku: 'CUP-STEEL-12' },
];

/** Returns the item with that id; the SKU of an unlisted item contains its id. */
export function stockItemOf(id: number): StockItem {
  return items.find((item) => item.id === id) ?? { id, sku: `SKU-${id}` };
}

/** Returns the customer with that id, or one that the stream picks. Throws if the id is unknown. */
export const chooseCustomer = (stream: Stream, id?: number): Customer => choose('customer', customers, stream, id);

/** Returns the facility with that id, or one that the stream picks. Throws if the id is unknown. */
export const chooseFacility = (stream: Stream, id?: number): Identifier => choose('facility', facilities, stream, id);

function choose<T extends Identifier>(what: string, choices: readonly [T, ...T[]], stream: Stream, id?: number): T {
  // Picks even if the id decides, so that an id changes none of the stream's later decisions.
  const picked = stream.pick(choices);
  const chosen = id === undefined ? picked : choices.find((choice) => choice.id === id);
  if (!chosen) throw new Error(`No ${what} ${id} in the simulator`);
  return chosen;
}
