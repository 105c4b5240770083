import { z } from 'zod';
import { linesIn } from '../../catalogue/rows.ts';
import {
  amount,
  anything,
  derived,
  derivedList,
  flag,
  hidden,
  id,
  list,
  type Places,
  section,
  sum,
  text,
} from '../section.ts';
import { article, goodsOf, type Lot, lot, lotsOf, serialNumbersOf } from '../transaction.ts';
import type { Parcel } from './shipment.ts';

const allocation = section('allocation', {
  quantity: amount('qty'),
  picked: amount('properlyPickedPrimary'),
  traits: anything('detail.itemTraits'),
});

/** Sources of a line's quantities. The line itself stands for what ships, since no order is closed that is not fully allocated. */
const bases = ['packages', 'allocations', 'line'] as const;

const names = {
  lineId: id('readOnly.orderItemId', 'Id of the line in the warehouse.'),
  externalId: text('externalId', "The customer's own id of the line."),
  ...article,
};

const lineNames = section('orderLine', names);

export const orderLine = section('orderLine', {
  ...names,
  unit: text('readOnly.unitIdentifier.name', 'Unit in which the line was ordered.'),
  ordered: amount('qty', 'Ordered quantity.'),
  allocated: derived(z.number(), 'Quantity for which stock is reserved.'),
  picked: derived(z.number(), 'Picked quantity.'),
  packed: derived(z.number(), 'Quantity that is in packages.'),
  shipped: derived(z.number(), 'Shipped quantity, once the order has shipped.'),
  short: derived(z.number(), 'Ordered quantity that was not shipped, once the order has shipped.'),
  basis: derived(z.enum(bases), 'Source of the shipped quantity, and of the lots.'),
  lots: derivedList(lot, 'Goods by lot and expiry date, with their serial numbers.'),
  isAllocated: hidden(flag('readOnly.fullyAllocated')),
  isInSecondaryUnit: hidden(flag('readOnly.isOrderQtySecondary')),
  orderedInPrimaryUnit: hidden(amount('readOnly.originalPrimaryQty')),
  allocations: hidden(list('readOnly.allocations', allocation)),
});

export type OrderLine = ReturnType<typeof orderLine.read>;

type Named = ReturnType<typeof lineNames.read>;

interface OrderFacts {
  readonly isShipped?: boolean | undefined;
  readonly parcels?: readonly Parcel[] | undefined;
  /** Serial numbers that were scanned at packing. */
  readonly scanned?: readonly object[] | undefined;
}

export function readOrderLines(record: unknown, order: OrderFacts, places: Places): readonly OrderLine[] | undefined {
  const rows = linesIn(record);
  if (!rows || rows.length === 0) return undefined;
  const keyed = (row: unknown) => lineNames.read(row, places);
  const lines = rows.map(keyed);
  const contents = contentsByLine(lines, order.parcels);
  const scanned = scannedByItem(
    lines,
    order.scanned?.map((row) => [keyed(row), serialNumbersOf(row)]),
  );
  return rows.map((row) =>
    orderLine.read(row, places, (line) => {
      const { lineId = '', isAllocated, allocations, isInSecondaryUnit } = line;
      // Stock is counted in one unit; a line that was ordered in another, such as cases, has the number of both.
      const unit = isInSecondaryUnit ? undefined : line.unit;
      const ordered = isInSecondaryUnit ? line.orderedInPrimaryUnit : line.ordered;
      const allocated = allocations?.map(({ quantity, traits }) => goodsOf(quantity, traits, places));
      const packed = contents && (contents.get(lineId) ?? []);
      const goods = packed ?? allocated ?? [goodsOf(ordered, row, places)];
      const basis = packed ? 'packages' : allocated ? 'allocations' : 'line';
      const isWhole = basis !== 'line' || isAllocated !== false;
      const shipped = order.isShipped && isWhole ? totalOf(goods) : undefined;
      return {
        unit,
        ordered,
        allocated: allocated ? totalOf(allocated) : isAllocated ? ordered : undefined,
        picked: allocations && total(allocations.map(({ picked }) => picked)),
        packed: packed && totalOf(packed),
        shipped,
        short: shipped === undefined || ordered === undefined ? undefined : Math.max(0, sum([ordered, -shipped])),
        basis: shipped === undefined ? undefined : basis,
        lots: lotsOf(withScanned(goods, scanned.get(itemKey(line)))),
      };
    }),
  );
}

function contentsByLine(
  lines: readonly Named[],
  parcels: OrderFacts['parcels'] = [],
): ReadonlyMap<string | undefined, readonly Lot[]> | undefined {
  const ids = new Set(lines.map(({ lineId }) => lineId));
  const contents = parcels.flatMap(({ lines = [] }) => lines);
  const isAttributed = contents.every(({ lineId }) => lineId !== undefined && ids.has(lineId));
  if (contents.length === 0 || !isAttributed) return undefined;
  return Map.groupBy(contents, ({ lineId }) => lineId);
}

const itemKey = ({ sku, itemId, qualifier }: Named): string => JSON.stringify([sku ?? itemId, qualifier]);

/** By item and qualifier. Where two lines have the same, nobody can tell which is which. */
function scannedByItem(
  lines: readonly Named[],
  scanned: readonly (readonly [Named, readonly string[]])[] = [],
): ReadonlyMap<string, readonly string[]> {
  const keys = lines.map(itemKey);
  const isOnlyOne = (key: string) => keys.indexOf(key) === keys.lastIndexOf(key);
  const rows = scanned.map(([row, numbers]) => [itemKey(row), numbers] as const);
  return new Map(rows.filter(([key]) => isOnlyOne(key)));
}

/** Serial numbers of the whole line, for goods without their own. */
function withScanned(goods: readonly Lot[], scanned: readonly string[] | undefined): readonly Lot[] {
  const [only, ...others] = goods;
  if (!scanned || goods.some(({ serialNumbers }) => serialNumbers)) return goods;
  return only && others.length === 0
    ? [{ ...only, serialNumbers: scanned }]
    : [...goods, { quantity: undefined, serialNumbers: scanned }];
}

const total = (quantities: readonly (number | undefined)[]): number | undefined =>
  quantities.every((quantity) => quantity !== undefined) ? sum(quantities) : undefined;

const totalOf = (goods: readonly Lot[]): number | undefined => total(goods.map(({ quantity }) => quantity));
