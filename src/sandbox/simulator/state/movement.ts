import type { Stream } from '../random.ts';
import { items, type StockItem } from './directory.ts';
import type { EntryOptions } from './entry.ts';
import { newTransaction, type Transaction, type TransactionKind } from './transaction.ts';

/** The kinds of movement. */
export type MovementKind = Exclude<TransactionKind, 'order'>;

/** A movement as the warehouse has it: a receipt, an adjustment or an assembly, each of one item. */
export interface MovementState extends Transaction {
  readonly kind: MovementKind;
  readonly item: StockItem;
  readonly qty: number;
}

/** A movement to which nothing has happened. */
export function newMovement(kind: MovementKind, id: number, stream: Stream, options: EntryOptions): MovementState {
  return { ...newTransaction(kind, id, stream, options), item: stream.pick(items), qty: stream.between(1, 480) };
}
