import { createStream, type Stream } from '../random.ts';
import { omitEmpty, type Resource, relation } from '../resources/resource.ts';
import type { Section, Sections } from '../resources/sections.ts';
import { items, type StockItem } from '../state/directory.ts';
import type { NewSubject } from '../state/entry.ts';
import type { Advice, Kind } from './kind.ts';
import { type Movement, newMovement } from './movement.ts';
import type { Lot } from './order/shipment.ts';
import { showTransaction, transaction } from './transaction.ts';

/** Receipt of one item, or of goods as in a real warehouse. */
export interface ReceiptState extends Movement<'receipt'> {
  readonly received?: readonly ReceivedGoods[];
}

/** Item of a receipt as it was announced to the warehouse, and as it came. */
interface ReceivedGoods {
  readonly receiveItemId: number;
  readonly item: StockItem;
  readonly lot?: Lot;
  readonly expected: number;
  readonly received: number;
  /** Why it is put on hold as it comes. */
  readonly holdReason?: string;
}

const RECEIVED_ITEMS_LIMIT = 100;

function newReceipt(subject: NewSubject): ReceiptState {
  const { id, seed, number, isReal } = subject;
  const receipt = newMovement('receipt', subject);
  return isReal ? { ...receipt, received: planGoods(createStream(seed, `goods of receipt ${number}`), id) } : receipt;
}

/** Plans goods of which some are too few, too many or damaged. */
function planGoods(stream: Stream, receiptId: number): readonly ReceivedGoods[] {
  const rows: Omit<ReceivedGoods, 'receiveItemId'>[] = [];
  for (let left = stream.between(1, 5); left > 0; left -= 1) {
    const item = stream.pick(items);
    const expected = stream.between(10, 480);
    const lot = { lotNumber: `L${stream.between(100, 999)}`, expires: '2028-06-30' };
    const outcome = stream.pick(['whole', 'whole', 'whole', 'few', 'many', 'damaged'] as const);
    const off = stream.between(1, 9);
    const received = { whole: expected, few: expected - off, many: expected + off, damaged: expected - off }[outcome];
    rows.push({ item, expected, received, ...(item.id % 4 === 1 && { lot }) });
    if (outcome === 'damaged') rows.push({ item, expected: 0, received: off, holdReason: 'Damaged in transit' });
  }
  return rows.map((row, index) => ({
    ...row,
    receiveItemId: (receiptId * RECEIVED_ITEMS_LIMIT + index) % (2 ** 31 - 1),
  }));
}

/** Goods that a record shows. Unexpected ones appear once the receipt is closed; a plain receipt does not say what it expects. */
function shownGoods({ status, received, item, qty }: ReceiptState): readonly ShownGoods[] {
  const shown = received?.filter(({ expected }) => status === 1 || expected > 0);
  return shown ?? [{ receiveItemId: 880_000 + item.id, item, received: qty }];
}

type ShownGoods = Omit<ReceivedGoods, 'expected'> & Partial<Pick<ReceivedGoods, 'expected'>>;

function sectionsOf(receipt: ReceiptState, detail: Sections['detail']): Resource {
  const wanted = (section: Section, fields: Resource) => (detail.has(section) ? fields : {});
  const receiveItems = shownGoods(receipt).map((row) => receivedItem(row, receipt.status === 1));
  return {
    ...wanted('savedElements', { savedElements: [{ name: 'Dock', value: '3' }] }),
    ...wanted('billingDetails', { billing: { billingCharges: [{ chargeType: 2, subtotal: 18.5 }] } }),
    ...wanted('receiveItems', { _embedded: { [relation('inventory/receiveitem')]: receiveItems } }),
  };
}

function receivedItem(
  { receiveItemId, item, lot, expected, received, holdReason }: ShownGoods,
  isClosed: boolean,
): Resource {
  const isPlain = expected === undefined;
  return {
    readOnly: { receiveItemId, ...(!isPlain && { unitIdentifier: { id: 1, name: 'Each' } }) },
    itemIdentifier: item,
    qty: isClosed || isPlain ? received : expected,
    ...(!isPlain && { expectedQty: expected }),
    ...(lot && { lotNumber: lot.lotNumber, expirationDate: `${lot.expires}T00:00:00` }),
    ...(holdReason && { onHold: true, onHoldReason: holdReason }),
  };
}

function truthOf(receipt: ReceiptState, saysStatus: boolean): Advice {
  const { status, qty } = receipt;
  const isReceived = saysStatus ? status === 1 : undefined;
  const lines = shownGoods(receipt).map(({ receiveItemId, item, received, lot, holdReason, ...row }) => {
    const { expected = isReceived === false ? qty : undefined } = row;
    const difference = expected === undefined ? undefined : received - expected;
    return omitEmpty({
      lineId: String(receiveItemId),
      sku: item.sku,
      expected,
      received: isReceived ? received : undefined,
      difference: isReceived ? difference : undefined,
      isOnHold: holdReason === undefined ? undefined : true,
      holdReason,
      lots: lot && [{ lotNumber: lot.lotNumber, expiresOn: lot.expires, quantity: status === 1 ? received : expected }],
    });
  });
  const isComplete = lines.every(({ difference }) => difference !== undefined) || undefined;
  const isShort = lines.some(({ difference }) => typeof difference === 'number' && difference < 0);
  return omitEmpty({ isReceived, isComplete: isReceived ? (isShort ? false : isComplete) : undefined, lines });
}

export const receipt = {
  ...transaction,
  type: 'Receipt',
  resources: {
    Default: {},
    'Receipt custom fields': { detail: 'savedElements' },
    'Billing details': { detail: 'billingDetails' },
    'Receive items': { detail: 'receiveItems' },
  },
  create: newReceipt,
  orders: 5,
  scenarios: {
    straight: 'created updated? completed? confirmed',
    reopened: 'created completed? confirmed unconfirmed updated? confirmed',
    canceled: 'created updated? canceled',
    deleted: 'created updated? deleted',
  },
  hasForms: true,
  properties: ['poNum', 'arrivalDate', 'expectedDate'],
  show: (state, { detail }, localTime) =>
    showTransaction(state, localTime, {
      // The planned arrival until the receipt is closed, the real one from then on.
      arrivalDate: localTime(state.processed ?? state.created),
      ...sectionsOf(state, detail),
    }),
  advice: { compared: ['isReceived', 'isComplete', 'lines'], truth: truthOf },
} as const satisfies Kind<ReceiptState>;
