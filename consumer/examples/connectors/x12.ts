import type { OrderAdvice, ReceiptAdvice } from '@dockline/consumer';
import { type Envelope, interchange, type Segment } from './x12-interchange.ts';

/** 945 Warehouse Shipping Advice, release 4010. */
export function toShippingAdvice(advice: OrderAdvice, envelope: Envelope): string {
  const { orderNumber, poNumber, shipTo, carrier, billOfLading, masterBillOfLading, totals, lines = [] } = advice;
  const day = dayOf(advice.shippedAt, envelope.at);
  const parcelsWith = (lineId?: string) =>
    (advice.parcels ?? []).filter((parcel) => parcel.lines?.some((it) => it.lineId === lineId));
  return interchange('945', 'SW', envelope, [
    ['W06', 'F', orderNumber, day, billOfLading ?? orderNumber, undefined, poNumber],
    ['N1', 'WH', advice.facility?.name ?? 'WAREHOUSE', '92', advice.facility?.id ?? 'NA'],
    ...(shipTo
      ? [
          ['N1', 'ST', shipTo.company ?? shipTo.name ?? 'NA'],
          ...(shipTo.lines?.length ? [['N3', ...shipTo.lines.slice(0, 2)]] : []),
          ['N4', shipTo.city, shipTo.region, shipTo.postalCode, shipTo.country],
        ]
      : []),
    ['N9', 'BM', billOfLading ?? orderNumber],
    ...(masterBillOfLading ? [['N9', 'MB', masterBillOfLading]] : []),
    ...(advice.trackingNumbers ?? []).map((number) => ['N9', '2I', number]),
    ['G62', '11', day],
    ['W27', advice.trackingNumbers?.length ? 'U' : 'M', carrier?.scac, carrier?.name],
    ...lines.flatMap((line, index) => [
      ['LX', index + 1],
      ...parcelsWith(line.lineId).flatMap(({ sscc, trackingNumber }) => [
        ...(sscc ? [['MAN', 'GM', sscc]] : []),
        ...(trackingNumber ? [['MAN', 'CP', trackingNumber]] : []),
      ]),
      quantities(line),
      ['N9', 'LI', line.externalId ?? line.lineId ?? index + 1],
      ...referencesOf(line.lots),
    ]),
    ['W03', totals?.units ?? sum(lines.map(({ shipped = 0 }) => shipped)), totals?.weight, totals?.weight && 'LB'],
  ]);
}

/** Complete, partly shipped, or not at all. */
function quantities({
  ordered = 0,
  shipped = 0,
  short = 0,
  unit,
  sku,
}: NonNullable<OrderAdvice['lines']>[number]): Segment {
  const status = short === 0 ? 'CC' : shipped === 0 ? 'BK' : 'CP';
  return ['W12', status, ordered, shipped, short, unitOf(unit), undefined, 'SK', sku];
}

/** 944 Warehouse Stock Transfer Receipt Advice, release 4010. */
export function toReceiptAdvice(advice: ReceiptAdvice, envelope: Envelope): string {
  const { receiptNumber, poNumber, lines = [] } = advice;
  return interchange('944', 'RE', envelope, [
    ['W17', 'F', dayOf(advice.arrivedAt, envelope.at), receiptNumber, poNumber ?? receiptNumber],
    ['N1', 'WH', advice.facility?.name ?? 'WAREHOUSE', '92', advice.facility?.id ?? 'NA'],
    ...(advice.trackingNumber ? [['N9', '2I', advice.trackingNumber]] : []),
    ['W08', 'M', advice.carrier?.scac, advice.carrier?.name],
    ...lines.flatMap(({ received = 0, difference = 0, unit, sku, isOnHold, holdReason, ...line }) => [
      ['W07', received, unitOf(unit), undefined, 'SK', sku],
      ['N9', 'LI', line.externalId ?? line.lineId],
      ...referencesOf(line.lots),
      // Exceptions: short, over, and what came damaged or is held.
      ...(difference < 0 ? [['W13', -difference, unitOf(unit), '02']] : []),
      ...(difference > 0 && !isOnHold ? [['W13', difference, unitOf(unit), '03']] : []),
      ...(isOnHold ? [['W13', received, unitOf(unit), '01', undefined, undefined, holdReason]] : []),
    ]),
    ['W14', sum(lines.map(({ received = 0 }) => received))],
  ]);
}

const referencesOf = (lots: NonNullable<OrderAdvice['lines']>[number]['lots'] = []): Segment[] =>
  lots.flatMap(({ lotNumber, serialNumbers = [] }) => [
    ...(lotNumber ? [['N9', 'LT', lotNumber]] : []),
    ...serialNumbers.map((number) => ['N9', 'SE', number]),
  ]);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const dayOf = (time: string | undefined, otherwise: Date): string =>
  (time ?? otherwise.toISOString()).slice(0, 10).replaceAll('-', '');

const units: Readonly<Record<string, string>> = { each: 'EA', case: 'CA', pound: 'LB', kit: 'KT', pallet: 'PL' };
const unitOf = (unit = 'Each'): string => units[unit.toLowerCase()] ?? 'EA';
