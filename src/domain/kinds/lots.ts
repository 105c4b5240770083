import { z } from 'zod';
import { readerOf } from '../../base/json.ts';
import { day, derived, exact, type Places, readShortText, section, sum, text, texts, unlessEmpty } from './section.ts';

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
  const numbers = [read('serialnumber'), ...(Array.isArray(listed) ? listed : [])].map(readShortText);
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
