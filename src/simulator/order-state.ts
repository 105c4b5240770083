import { type Identifier, items, type StockItem, users } from './directory.ts';
import type { Stream } from './random.ts';
import { newTransaction, type Transaction, type TransactionOptions } from './transaction.ts';

/** An order as the warehouse has it. */
export interface OrderState extends Transaction {
  readonly kind: 'order';
  readonly picker: Identifier;
  readonly lines: readonly OrderLine[];
  readonly fullyAllocated: boolean;
  readonly pickDone: number | null;
  readonly packStarted: number | null;
  readonly packDone: number | null;
  /** Oldest first. */
  readonly pickJobs: readonly PickJob[];
}

/** A line of an order. */
export interface OrderLine {
  readonly orderItemId: number;
  readonly item: StockItem;
  readonly qty: number;
}

/** One job that picks one order (the real one may pick many). */
export interface PickJob {
  readonly id: number;
  readonly status: 'open' | 'done' | 'excluded';
  readonly assigned: Identifier | null;
  /** Done without every line picked. */
  readonly incomplete: boolean;
}

/** The id of an order's nth pick job. */
export function pickJobId(orderId: number, index: number): number {
  return orderId * 100 + index;
}

/** The inverse of {@link pickJobId}, without the index. */
export function orderIdOfPickJob(id: number): number {
  return Math.floor(id / 100);
}

/** The pick job that the order is in, or was in when it was done; undefined after an exclusion. */
export function currentPickJob({ pickJobs }: OrderState): PickJob | undefined {
  const last = pickJobs.at(-1);
  return last?.status === 'excluded' ? undefined : last;
}

/** An order to which nothing has happened. */
export function newOrder(id: number, stream: Stream, options: TransactionOptions): OrderState {
  const transaction = newTransaction('order', id, stream, options);
  return {
    ...transaction,
    picker: stream.pick(othersThan(transaction.clerk)),
    lines: newLines(id, stream),
    fullyAllocated: false,
    pickDone: null,
    packStarted: null,
    packDone: null,
    pickJobs: [],
  };
}

function othersThan(clerk: Identifier): readonly [Identifier, ...Identifier[]] {
  const [first = clerk, ...rest] = users.filter((user) => user !== clerk);
  return [first, ...rest];
}

function newLines(orderId: number, stream: Stream): OrderState['lines'] {
  const count = stream.between(1, 3);
  return Array.from({ length: count }, (_, index) => ({
    orderItemId: orderId * 10 + index,
    item: stream.pick(items),
    qty: stream.between(1, 12),
  }));
}
