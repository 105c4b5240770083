/** Carrier of a parcel, and how its tracking numbers look. */
interface Carrier {
  readonly name: string;
  readonly service: string;
  /** Standard Carrier Alpha Code. */
  readonly scac: string;
  /** Returns the tracking number of an order. */
  track(orderId: number): string;
}

const digits = (orderId: number, length: number): string =>
  String((orderId * 48_271) % 10 ** Math.min(length, 15)).padStart(length, '0');

const ups: Carrier = { name: 'UPS', scac: 'UPSN', service: 'Ground', track: (id) => `1Z84F20203${digits(id, 8)}` };
const fedEx: Carrier = { name: 'FedEx', scac: 'FDEG', service: 'Home Delivery', track: (id) => `7749${digits(id, 8)}` };
const usps: Carrier = {
  name: 'USPS',
  scac: 'USPS',
  service: 'Priority Mail',
  track: (id) => `94001118${digits(id, 14)}`,
};

/** Half of the parcels go by the first. */
const carriers = [ups, fedEx, ups, usps, ups, fedEx] as const;

/** Returns the carrier of an order. */
export const carrierOf = (orderId: number): Carrier => carriers[orderId % carriers.length] ?? ups;

/** Names of the carriers whose trucks come to the warehouse. */
export const carrierNames = [ups, fedEx, usps].map(({ name }) => name);

/** Towns to which parcels go. */
const towns = [
  { city: 'Portland', state: 'OR', zip: '97201' },
  { city: 'Boise', state: 'ID', zip: '83702' },
  { city: 'Austin', state: 'TX', zip: '78701' },
  { city: 'Madison', state: 'WI', zip: '53703' },
  { city: 'Asheville', state: 'NC', zip: '28801' },
  { city: 'Providence', state: 'RI', zip: '02903' },
  { city: 'Boulder', state: 'CO', zip: '80302' },
] as const;

/** Returns where an order goes. */
export const addressOf = (orderId: number) => ({
  address1: `${12 + (orderId % 80)} Harbor Street`,
  ...(towns[orderId % towns.length] ?? towns[0]),
  country: 'US',
});
