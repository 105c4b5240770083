import { z } from 'zod';
import { type Reader, readerOf } from '../../base/json.ts';
import type { Snapshot } from '../lifecycle/snapshot.ts';
import { readFlag, readNumber, readShortText } from '../wire-values.ts';
import {
  amount,
  day,
  derived,
  derivedList,
  exact,
  id,
  type Places,
  part,
  section,
  sum,
  text,
  texts,
  unlessEmpty,
} from './section.ts';

const names = {
  lotNumber: text('lotNumber', 'Lot, as the warehouse names it.'),
  expiresOn: day('expirationDate', 'Day on which it expires.'),
};

export const lot = section('lot', {
  ...names,
  serialNumbers: derived(texts),
  quantity: derived(z.number()),
});

/** For sections whose elements are of one lot each. */
export const ofLot = {
  lotNumber: derived(names.lotNumber.form),
  expiresOn: derived(names.expiresOn.form),
  serialNumbers: derived(texts),
};

export type Lot = ReturnType<typeof lot.read>;

export function serialNumbersOf(record: unknown): readonly string[] {
  const read = readerOf(record);
  const listed = read('serialnumbers');
  const numbers = [read('serialnumber'), ...(Array.isArray(listed) ? listed : [])].map((it) => readShortText(it));
  return [...new Set(numbers.filter((number) => number !== undefined))];
}

export const goodsOf = (quantity: number | undefined, traits: unknown, places: Places): Lot => ({
  quantity,
  ...lot.read(traits, places),
  serialNumbers: unlessEmpty(serialNumbersOf(traits)),
});

/** Goods without lot and serial numbers are not listed: the line has their quantity. */
export function lotsOf(goods: readonly Lot[]): readonly Lot[] | undefined {
  const named = goods.filter(({ lotNumber, expiresOn, serialNumbers }) => lotNumber ?? expiresOn ?? serialNumbers?.[0]);
  const byLot = Map.groupBy(named, ({ lotNumber, expiresOn }) => JSON.stringify([lotNumber, expiresOn]));
  const lots = [...byLot.values()].map((rows) => {
    const quantities = rows.flatMap(({ quantity }) => quantity ?? []);
    return {
      lotNumber: rows[0]?.lotNumber,
      expiresOn: rows[0]?.expiresOn,
      serialNumbers: unlessEmpty([...new Set(rows.flatMap((row) => row.serialNumbers ?? []))]),
      quantity: quantities.length === rows.length ? sum(quantities) : undefined,
    };
  });
  return unlessEmpty(lots.map(exact));
}

/** `status` 0, 1 and 2; none means "complete". */
const statuses = ['open', 'closed', 'canceled'] as const;

/** In `readOnly`, or else beside it. */
export const factReader =
  (read: Reader): Reader =>
  (...path) =>
    read('readonly', ...path) ?? read(...path);

export function statusOf(fact: Reader): (typeof statuses)[number] | undefined {
  const isClosed = readFlag(fact('isclosed'));
  const otherwise = isClosed === undefined ? undefined : isClosed ? 'closed' : 'open';
  return statuses[readNumber(fact('status')) ?? Number.NaN] ?? otherwise;
}

export function isClosed(record: unknown): boolean | undefined {
  const status = statusOf(factReader(readerOf(record)));
  return status && status === 'closed';
}

const customer = section('recordCustomer', {
  id: id('readOnly.customerIdentifier.id', 'Id of the customer in the warehouse.'),
  name: text('readOnly.customerIdentifier.name', 'Name of the customer in the warehouse.'),
});

const facility = section('recordFacility', {
  id: id('readOnly.facilityIdentifier.id', 'Id of the facility.'),
  name: text('readOnly.facilityIdentifier.name', 'Name of the facility.'),
});

export const article = {
  sku: text('itemIdentifier.sku', 'SKU.'),
  itemId: id('itemIdentifier.id', 'Id of the item in the warehouse.'),
  qualifier: text('qualifier', 'Qualifier, by which stock of one item is told apart.'),
};

export const carrier = section('recordCarrier', {
  name: text('routingInfo.carrier', 'Name of the carrier, as the warehouse writes it.'),
  scac: text('routingInfo.scacCode', 'Standard Carrier Alpha Code.'),
});

export const parties = { customer: part(customer), facility: part(facility) };

export const readParties = section('record', parties).read;

/** Of an adjustment or an assembly; names guessed from those of orders and receipts. */
export const movementLine = section(
  'movementLine',
  {
    ...article,
    unit: text('unitIdentifier.name', 'Unit of the quantity.'),
    quantity: amount('qty', 'Quantity, below zero for what is taken away.'),
    lots: derivedList(lot),
  },
  ({ quantity }, line, places) => ({ lots: lotsOf([goodsOf(quantity, line, places)]) }),
);

/** They are completed, not closed: `deferNotification` turns false while they stay open. */
export function movementState(_record: unknown, fact: Reader): Snapshot {
  const status = statusOf(fact);
  if (status === 'canceled') return {};
  if (status === 'closed') return { completed: true };
  const isDeferred = readFlag(fact('defernotification'));
  return isDeferred === undefined ? {} : { completed: !isDeferred };
}
