import { omitEmpty } from '../../resources/resource.ts';
import type { Advice } from '../kind.ts';
import { type Goods, trackingOf } from './shipment.ts';
import { type OrderState, packageIdOf, parcelsIn, unitsIn } from './state.ts';

/** Tenths and wholes are added as whole numbers, so that nothing is lost. */
export function truthOf(order: OrderState, saysStatus: boolean): Advice {
  const isShipped = saysStatus ? order.status === 1 : undefined;
  const parcels = parcelsIn(order);
  const packed = parcels.flatMap(({ goods }) => goods);
  const lines = order.lines.map(({ orderItemId, item, wares, qty }, index) => {
    const { scale = 1, qualifier, externalId } = wares ?? {};
    const own = packed.filter(({ line }) => line === index);
    const isPacked = packed.length > 0;
    const shippedUnits = isPacked ? unitsIn(own) : qty * scale;
    return omitEmpty({
      lineId: String(orderItemId),
      externalId,
      sku: item.sku,
      qualifier: qualifier || undefined,
      ordered: qty,
      allocated: order.fullyAllocated ? qty : undefined,
      packed: isPacked ? shippedUnits / scale : undefined,
      shipped: isShipped ? shippedUnits / scale : undefined,
      short: isShipped ? (Math.round(qty * scale) - shippedUnits) / scale : undefined,
      lots: lotsOf(own, scale),
    });
  });
  const unitOf = (line: number) => order.lines[line]?.wares?.scale ?? 1;
  const tenths = packed.length > 0 ? packed : order.lines.flatMap(({ wares }) => wares?.goods ?? []);
  const shippedTenths = tenths.reduce((sum, { line, units }) => sum + units * (10 / unitOf(line)), 0);
  const plain = order.lines.reduce((sum, { qty }) => sum + qty, 0);
  const serialNumbers = packed.reduce((sum, goods) => sum + goods.serialNumbers.length, 0);
  const numbers = parcels.flatMap((one) => (one.isTracked ? [trackingOf(order.id, one)] : []));
  return omitEmpty({
    isShipped,
    isComplete: isShipped ? lines.every(({ short }) => short === 0) : undefined,
    trackingNumbers: [...new Set(numbers)],
    lines,
    parcels: parcels.map((one) => truthOfParcel(order, one)),
    totals: omitEmpty({
      lines: lines.length,
      units: isShipped ? (order.parcels ? shippedTenths / 10 : plain) : undefined,
      parcels: parcels.length || undefined,
      serialNumbers: serialNumbers || undefined,
    }),
  });
}

function truthOfParcel(order: OrderState, one: ReturnType<typeof parcelsIn>[number]): Advice {
  const id = packageIdOf(order.id, one.index);
  return omitEmpty({
    id: String(id),
    trackingNumber: one.isTracked ? trackingOf(order.id, one) : undefined,
    sscc: order.parcels && id % 2 === 0 ? `34012345${String(id).padStart(10, '0')}` : undefined,
    weight: order.parcels && one.weight,
    lines: one.goods.map(({ line, units, lot, serialNumbers }) =>
      omitEmpty({
        lineId: String(order.lines[line]?.orderItemId),
        quantity: units / (order.lines[line]?.wares?.scale ?? 1),
        sku: order.lines[line]?.item.sku,
        lotNumber: lot?.lotNumber,
        expiresOn: lot?.expires,
        serialNumbers,
      }),
    ),
  });
}

function lotsOf(goods: readonly Goods[], scale: number): readonly Advice[] {
  const named = goods.filter(({ lot, serialNumbers }) => lot !== undefined || serialNumbers.length > 0);
  const byLot = Map.groupBy(named, ({ lot }) => JSON.stringify(lot));
  return [...byLot.values()].map((own) =>
    omitEmpty({
      lotNumber: own[0]?.lot?.lotNumber,
      expiresOn: own[0]?.lot?.expires,
      serialNumbers: own.flatMap(({ serialNumbers }) => serialNumbers),
      quantity: unitsIn(own) / scale,
    }),
  );
}
