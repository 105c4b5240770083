import type { Stream } from '../random.ts';

/** Something with an id and a name, as the API's identifiers write it. */
export interface Identifier {
  readonly id: number;
  readonly name: string;
}

/** A customer of the warehouse tenant. */
export interface Customer extends Identifier {
  readonly externalId: string;
}

/** Who made a change that no person made. */
export const system: Identifier = { id: -1, name: 'System' };

/** The people of the warehouse. */
export const users: readonly [Identifier, ...Identifier[]] = [
  { id: 2108, name: 'm.okafor' },
  { id: 2109, name: 'j.lindqvist' },
  { id: 2110, name: 's.ferreira' },
  { id: 2111, name: 'd.novak' },
];

/** The customers whose goods the warehouse keeps. */
export const customers: readonly [Customer, ...Customer[]] = [
  { id: 418, name: 'Alder Tea Company', externalId: 'ALDER' },
  { id: 419, name: 'Brightwater Audio', externalId: 'BRIGHT' },
  { id: 420, name: 'Cobalt Cycling', externalId: 'COBALT' },
];

/** The customer with that id; throws where there is none. */
export function customerOf(customerId: number): Customer {
  const customer = customers.find(({ id }) => id === customerId);
  if (!customer) throw new Error(`No customer ${customerId} in the simulator`);
  return customer;
}

/** The buildings of the warehouse. */
export const facilities: readonly [Identifier, ...Identifier[]] = [
  { id: 12, name: 'Reno' },
  { id: 14, name: 'Harrisburg' },
];

/** The facility with that id, one that the stream picks where none is given; throws where there is none. */
export function chooseFacility(stream: Stream, facilityId: number | undefined): Identifier {
  const picked = stream.pick(facilities);
  const facility = facilityId === undefined ? picked : facilities.find(({ id }) => id === facilityId);
  if (!facility) throw new Error(`No facility ${facilityId} in the simulator`);
  return facility;
}

/** What lies on the shelves. */
export const items: readonly [StockItem, ...StockItem[]] = [
  { id: 7001, sku: 'TEA-GREEN-100' },
  { id: 7002, sku: 'HDPHN-BLK' },
  { id: 7003, sku: 'TIRE-700C' },
  { id: 7004, sku: 'CUP-STEEL-12' },
];

/** A thing that a customer stores. */
export interface StockItem {
  readonly id: number;
  readonly sku: string;
}

/** The thing with that id; one that is not among those of the directory has its id in its SKU. */
export function stockItemOf(id: number): StockItem {
  return items.find((item) => item.id === id) ?? { id, sku: `SKU-${id}` };
}
