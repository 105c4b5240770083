import { z } from 'zod';
import {
  amount,
  cutting,
  derived,
  derivedList,
  exact,
  flag,
  id,
  isCut,
  list,
  part,
  section,
  sum,
  text,
  time,
} from '../section.ts';
import { article, carrier, goodsOf, isClosed, lot, lotsOf, parties } from '../transaction.ts';

const receiptLine = section(
  'receiptLine',
  {
    lineId: id('readOnly.receiveItemId', 'Id of the received item in the warehouse.'),
    externalId: text('externalId', "The customer's own id of the line."),
    ...article,
    unit: text('readOnly.unitIdentifier.name', 'Unit of the quantities.'),
    expected: amount('expectedQty', 'Expected quantity.'),
    received: amount('qty', 'Received quantity, once the receipt is closed.'),
    isOnHold: flag('onHold', 'The received goods must not be used for now.'),
    holdReason: text('onHoldReason', 'Why they must not.'),
    location: text('locationInfo.name', 'Location in the warehouse.'),
    difference: derived(z.number(), 'Received less expected: below zero if some are missing.'),
    lots: derivedList(lot, 'Goods by lot and expiry date, with their serial numbers.'),
  },
  ({ received }, line, places) => ({ lots: lotsOf([goodsOf(received, line, places)]) }),
);

type ReceiptLine = ReturnType<typeof receiptLine.read>;

export const receiptAdvice = cutting(
  section(
    'receipt',
    {
      receiptNumber: text('referenceNum', "The customer's own number of the receipt."),
      poNumber: text('poNum', 'Purchase order number.'),
      externalId: text('externalId', "Id of the receipt in the customer's own system."),
      expectedAt: time(
        'expectedDate',
        'Time at which the goods are expected, local to the facility unless it has an offset.',
      ),
      trackingNumber: text('trackingNumber', "The carrier's number."),
      ...parties,
      arrivedAt: time(
        'arrivalDate',
        'Time at which the goods arrived, local to the facility; absent while it is only planned.',
      ),
      carrier: part(carrier),
      isReceived: derived(z.boolean(), 'The receipt is closed.'),
      isComplete: derived(
        z.boolean(),
        'Everything that was expected was received; absent before, and where a quantity is not known.',
      ),
      lines: list('receiveItems', receiptLine),
      totals: derived(z.strictObject({ lines: z.int() }), 'Of the whole receipt, also where lists are cut.'),
      isCut: isCut('A list was too long: `totals` counts what there is.'),
    },
    ({ arrivedAt, lines: written }, record) => {
      const isReceived = isClosed(record);
      const lines = written?.map((line) => asOf(isReceived, line));
      return {
        arrivedAt: isReceived ? arrivedAt : undefined,
        isReceived,
        isComplete: isReceived && lines ? isComplete(lines) : undefined,
        lines,
        totals: lines && { lines: lines.length },
      };
    },
  ),
);

/** Until it is closed, a receipt's quantities are expected ones. */
function asOf(isReceived: boolean | undefined, { received: quantity, ...line }: ReceiptLine): ReceiptLine {
  const expected = line.expected ?? (isReceived === false ? quantity : undefined);
  const received = isReceived ? quantity : undefined;
  const difference = received === undefined || expected === undefined ? undefined : sum([received, -expected]);
  return exact({ ...line, expected, received, difference });
}

function isComplete(lines: readonly ReceiptLine[]): boolean | undefined {
  if (lines.some(({ difference = 0 }) => difference < 0)) return false;
  return lines.every(({ difference }) => difference !== undefined) || undefined;
}
