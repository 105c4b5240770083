import { z } from 'zod';
import { isObject, type Reader, readerOf } from '../../../base/json.ts';
import { linesIn } from '../../catalogue/rows.ts';
import type { Snapshot } from '../../lifecycle/snapshot.ts';
import { readFlag, readHappened, readId, readShortText, readText } from '../../wire-values.ts';
import {
  amount,
  cutLists,
  cutting,
  derived,
  derivedList,
  elementsOf,
  exact,
  hidden,
  id,
  isCut,
  list,
  type Member,
  type Places,
  part,
  rows,
  section,
  sum,
  text,
  texts,
  time,
  unlessEmpty,
  valuesAt,
} from '../section.ts';
import { carrier, isClosed, parties } from '../transaction.ts';
import { type OrderLine, orderLine, readOrderLines } from './lines.ts';
import { numbersIn, type Parcel, parcels, shipTo, trackingUrl } from './shipment.ts';

const orderState = (record: unknown, fact: Reader): Snapshot =>
  exact({
    fullyAllocated: readFlag(fact('fullyallocated')),
    pickDone: readHappened(fact('pickdonedate')) ?? false,
    packStarted: readHappened(fact('packstarted')) ?? false,
    packDone: readHappened(fact('packdonedate')) ?? false,
    lineCount: linesIn(record)?.length,
    pickJobId: pickJobIn(readerOf(record)('_links')),
  });

function pickJobIn(links: unknown): string | undefined {
  if (!isObject(links)) return undefined;
  const hrefs = Object.values(links)
    .flat()
    .map((link) => readText(readerOf(link)('href')) ?? '');
  return hrefs.map((href) => readId(/\/orders\/pickjobs\/([^/?#{}]+)/i.exec(href)?.[1])).find(Boolean);
}

/** JSON text by id, of an order that was parsed exactly. */
export function orderItemsIn(order: unknown): ReadonlyMap<string, string> {
  const lines = linesIn(order) ?? [];
  return new Map(lines.map((line) => [readId(readerOf(line)('readonly', 'orderitemid')) ?? '', JSON.stringify(line)]));
}

const totals = section('order', {
  lines: derived(z.int()),
  units: derived(z.number(), 'Sum of the shipped quantities.'),
  parcels: derived(z.int()),
  serialNumbers: derived(z.int()),
  weight: amount('totalWeight', "As the warehouse says it, in the facility's unit."),
  volume: amount('totalVolume', "As the warehouse says it, in the facility's unit."),
});

const chargeDetail = section('chargeDetail', {
  label: text('chargeLabel', 'Name of the charge.'),
  units: amount('numUnits', 'Number of units.'),
  unit: text('unitDescription', 'Unit.'),
  perUnit: amount('chargePerUnit', 'Charge for each unit.'),
});

const charge = section('charge', {
  type: text('chargeType', 'Kind of the charge, as the warehouse numbers it.'),
  subtotal: amount('subtotal', 'Sum of its details.'),
  details: list('details', chargeDetail),
});

/** An order has the last number that was entered, and some answers list all. */
const ownNumbers: Member<readonly unknown[]> = {
  form: z.array(z.unknown()),
  place: 'routingInfo.trackingNumber',
  read: (record, path) =>
    [path, 'trackingNumber', 'parcelResponse.trackingNumber', 'parcelResponse.trackingNumbers']
      .flatMap((one) => valuesAt(readerOf(record), one))
      .flatMap(elementsOf)
      .map((one) => (isObject(one) ? readerOf(one)('trackingnumber') : one)),
};

const advice = section(
  'order',
  {
    orderNumber: text('referenceNum', "The customer's own number of the order."),
    poNumber: text('poNum', 'Purchase order number.'),
    externalId: text('externalId', "Id of the order in the customer's own system."),
    service: text('routingInfo.mode', "The carrier's service."),
    billOfLading: text('routingInfo.billOfLading', 'Bill of lading.'),
    masterBillOfLading: id('masterBillOfLadingId', 'Master bill of lading.'),
    loadNumber: text('routingInfo.loadNumber', 'Number of the load.'),
    trailerNumber: text('routingInfo.trailerNumber', 'Number of the trailer.'),
    sealNumber: text('routingInfo.sealNumber', 'Number of the seal.'),
    ...parties,
    isShipped: derived(z.boolean(), 'The order is closed.'),
    shippedAt: time(
      'readOnly.processDate',
      'Time at which the order was closed, local to the facility unless it has an offset.',
    ),
    isComplete: derived(
      z.boolean(),
      'Everything that was ordered has shipped; absent before, and where a quantity is not known.',
    ),
    carrier: part(carrier),
    trackingNumbers: derived(texts, 'Of parcels first, then of the order; each once.'),
    trackingUrl: derived(z.string(), "The carrier's page of the first tracking number, if one is known."),
    shipTo: part(shipTo),
    lines: derivedList(orderLine),
    parcels,
    totals: part(totals, 'Of the whole order, also where lists are cut.'),
    charges: list(
      'billing.billingCharges',
      charge,
      'Charges of the warehouse, if the account fetches `billingDetails`.',
    ),
    isCut: isCut('A list was too long: `totals` counts what there is.'),
    trackingNumber: hidden(ownNumbers),
    serialNumbers: hidden(rows('readOnly.outboundSerialNumbers')),
  },
  (order, record, places) => {
    const isShipped = isClosed(record);
    const lines = readOrderLines(record, { ...order, isShipped, scanned: order.serialNumbers }, places);
    const carriers = [order.carrier?.scac, order.carrier?.name];
    const skus = new Map(lines?.map(({ lineId, sku }) => [lineId, sku]));
    const parcels = order.parcels?.map((parcel) => completed(parcel, skus, carriers));
    const numbers = [...(parcels ?? []).map(({ trackingNumber }) => trackingNumber), ...(order.trackingNumber ?? [])];
    const trackingNumbers = [...new Set(numbers.flatMap(numbersIn))].flatMap((number) => readShortText(number) ?? []);
    return {
      isShipped,
      shippedAt: isShipped ? order.shippedAt : undefined,
      isComplete: isShipped && lines ? isComplete(lines) : undefined,
      trackingNumbers: unlessEmpty(trackingNumbers),
      trackingUrl: trackingUrl(trackingNumbers[0], ...carriers),
      lines,
      parcels,
      totals: unlessEmpty(exact({ ...countsOf(lines, parcels), ...order.totals })),
    };
  },
);

export const orderAdvice = { ...cutting(advice), state: orderState };

/** A line is announced by itself. */
export const readOrderLineAdvice = (line: unknown, places: Places): ReturnType<typeof orderAdvice.read> =>
  cutLists(exact({ lines: readOrderLines({ _embedded: { 'orders/item': [line] } }, {}, places) }));

function isComplete(lines: readonly OrderLine[]): boolean | undefined {
  if (lines.some(({ short = 0 }) => short > 0)) return false;
  return lines.every(({ short }) => short === 0) || undefined;
}

function completed(
  parcel: Parcel,
  skus: ReadonlyMap<string | undefined, string | undefined>,
  carriers: readonly (string | undefined)[],
): Parcel {
  return exact({
    ...parcel,
    trackingUrl: trackingUrl(parcel.trackingNumber, ...carriers),
    lines: parcel.lines?.map((line) => exact({ ...line, sku: skus.get(line.lineId) })),
  });
}

function countsOf(lines: readonly OrderLine[] | undefined, parcels: readonly Parcel[] | undefined) {
  const shipped = lines?.map((line) => line.shipped) ?? [];
  const serialNumbers = lines?.flatMap(({ lots = [] }) => lots.flatMap((lot) => lot.serialNumbers ?? [])).length;
  return {
    lines: lines?.length,
    units: shipped.length > 0 && shipped.every((one) => one !== undefined) ? sum(shipped) : undefined,
    parcels: parcels?.length,
    serialNumbers: serialNumbers || undefined,
  };
}
