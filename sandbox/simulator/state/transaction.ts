import type { Stream } from '../random.ts';
import { chooseFacility, type Identifier, items, type StockItem } from './directory.ts';
import { type Entry, type EntryOptions, newEntry, type TimedDetails } from './entry.ts';

/** Kind of subject that is opened, completed, closed and canceled. */
export type TransactionKind = keyof typeof prefixes;

/** Fields of every transaction. Times are null until the step has happened. */
export interface Transaction extends Entry {
  readonly kind: TransactionKind;
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

const prefixes = { order: 'OR', receipt: 'RC', adjustment: 'AD', assembly: 'AS' } as const;

/** Creates an open transaction. Throws if the customer or facility is unknown. */
export function newTransaction<K extends TransactionKind>(
  kind: K,
  id: number,
  stream: Stream,
  options: EntryOptions,
): Transaction & { readonly kind: K } {
  return {
    ...newEntry(kind, stream, options),
    id,
    referenceNum: options.referenceNum ?? `${prefixes[kind]}${id}X`,
    facility: chooseFacility(stream, options.facilityId),
    status: 0,
    deferNotification: true,
    processed: null,
  };
}

/** Kind of transaction that moves one item. */
type MovementKind = Exclude<TransactionKind, 'order'>;

/** Receipt, adjustment or assembly of one item. */
export interface MovementState extends Transaction {
  readonly kind: MovementKind;
  readonly item: StockItem;
  readonly qty: number;
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
