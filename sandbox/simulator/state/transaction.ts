import type { SweptKind } from '../../../src/domain/catalogue/subject.ts';
import type { Stage } from '../../../src/domain/lifecycle/stage.ts';
import type { Stream } from '../random.ts';
import { chooseFacility, type Identifier, items, type StockItem } from './directory.ts';
import { type Entry, type EntryOptions, newEntry, type TimedDetails } from './entry.ts';
import type { ReceivedGoods } from './shipment.ts';

/** Fields of every transaction. Times are null until the step has happened. */
export interface Transaction extends Entry {
  readonly kind: SweptKind;
  readonly id: number;
  readonly referenceNum: string;
  readonly facility: Identifier;
  /** Open, closed, canceled. */
  readonly status: 0 | 1 | 2;
  /** False once the transaction is complete. */
  readonly deferNotification: boolean;
  /** Closing time. */
  readonly processed: number | null;
}

/** Creates an open transaction. Throws if the customer or facility is unknown. */
export function newTransaction<K extends SweptKind>(
  kind: K,
  id: number,
  stream: Stream,
  options: EntryOptions,
): Transaction & { readonly kind: K } {
  return {
    ...newEntry(kind, stream, options),
    id,
    referenceNum: options.referenceNum ?? `${kind.slice(0, 2).toUpperCase()}${id}X`,
    facility: chooseFacility(stream, options.facilityId),
    status: 0,
    deferNotification: true,
    processed: null,
  };
}

/** Kind of transaction that moves one item. */
type MovementKind = Exclude<SweptKind, 'order'>;

/** Receipt, adjustment or assembly of one item. */
export interface MovementState extends Transaction {
  readonly kind: MovementKind;
  readonly item: StockItem;
  readonly qty: number;
  /** Undefined for a receipt of one item that is not as in a real warehouse, and for anything else. */
  readonly received?: readonly ReceivedGoods[];
}

/** Creates an open receipt, adjustment or assembly. */
export function newMovement(kind: MovementKind, id: number, stream: Stream, options: EntryOptions): MovementState {
  return { ...newTransaction(kind, id, stream, options), item: stream.pick(items), qty: stream.between(1, 480) };
}

type Progress = Partial<Pick<Transaction, 'status' | 'deferNotification' | 'processed' | 'deleted'>>;

/** Effects that the events of all transactions share. */
export const transactionEffects = {
  unchanged: () => ({}),
  complete: () => ({ deferNotification: false }),
  close: (_, { time }) => ({ status: 1, processed: time }),
  reopen: () => ({ status: 0, processed: null }),
  cancel: () => ({ status: 2 }),
  remove: () => ({ deleted: true }),
} as const satisfies Record<string, (state: Transaction, details: TimedDetails) => Progress>;

const { unchanged, complete, close, reopen, cancel, remove } = transactionEffects;

/**
 * Effects of the events of receipts, adjustments and assemblies. Confirming an adjustment or assembly marks it "as Complete"
 * (specification 3), which leaves it open.
 */
export const movementEffects = {
  ReceiptCreate: unchanged,
  ReceiptComplete: complete,
  ReceiptUpdate: unchanged,
  ReceiptConfirm: close,
  ReceiptUnconfirm: reopen,
  ReceiptCancel: cancel,
  ReceiptDelete: remove,
  AdjustmentCreate: unchanged,
  AdjustmentConfirm: complete,
  AdjustmentCancel: cancel,
  AdjustmentUpdate: unchanged,
  AdjustmentDelete: remove,
  AssemblyCreate: unchanged,
  AssemblyCancel: cancel,
  AssemblyDelete: remove,
  AssemblyUpdate: unchanged,
  AssemblyConfirm: complete,
} as const;

/** Returns the stage of a transaction that has no other steps. */
export function stageOf({ status, deferNotification }: Pick<Transaction, 'status' | 'deferNotification'>): Stage {
  if (status === 2) return 'canceled';
  if (status === 1) return 'confirmed';
  return deferNotification ? 'created' : 'completed';
}
