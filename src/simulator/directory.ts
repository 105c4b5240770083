/** Something with an id and a name, as the API's identifiers write it. */
export interface Identifier {
  readonly id: number;
  readonly name: string;
}

/** A customer of the warehouse operator. */
export interface Customer extends Identifier {
  readonly externalId: string;
}

/** Who has an order changed where no person did. */
export const system: Identifier = { id: -1, name: 'System' };

/** The people of the warehouse. */
export const users: readonly [Identifier, ...Identifier[]] = [
  { id: 2108, name: 'm.okafor' },
  { id: 2109, name: 'j.lindqvist' },
  { id: 2110, name: 's.ferreira' },
  { id: 2111, name: 'd.novak' },
];

/** The customers whose orders the warehouse fills. */
export const customers: readonly [Customer, ...Customer[]] = [
  { id: 418, name: 'Alder Tea Company', externalId: 'ALDER' },
  { id: 419, name: 'Brightwater Audio', externalId: 'BRIGHT' },
  { id: 420, name: 'Cobalt Cycling', externalId: 'COBALT' },
];

/** The buildings that orders leave from. */
export const facilities: readonly [Identifier, ...Identifier[]] = [
  { id: 12, name: 'Reno' },
  { id: 14, name: 'Harrisburg' },
];

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

/** A receipt of goods. */
export interface Receiver {
  readonly receiverId: number;
  readonly referenceNum: string;
  readonly customer: Customer;
  readonly facility: Identifier;
  readonly status: 0 | 1;
  /** Milliseconds since the epoch. */
  readonly arrival: number;
  readonly item: StockItem;
  readonly qty: number;
}

/** The receipts that the warehouse knows; they are fixed. */
export const receivers: readonly Receiver[] = [
  {
    receiverId: 55001,
    referenceNum: 'RC55001',
    customer: customers[0],
    facility: facilities[0],
    status: 1,
    arrival: Date.UTC(2026, 1, 9, 17, 30),
    item: items[0],
    qty: 480,
  },
  {
    receiverId: 55002,
    referenceNum: 'RC55002',
    customer: customers[0],
    facility: facilities[0],
    status: 0,
    arrival: Date.UTC(2026, 1, 12, 15, 0),
    item: items[0],
    qty: 120,
  },
];
