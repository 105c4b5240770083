import { createStream, type Stream } from '../random.ts';
import { type Identifier, items, type StockItem, users } from './directory.ts';
import type { EntryOptions } from './entry.ts';
import { newTransaction, type Transaction } from './transaction.ts';

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
  readonly picked: boolean;
  readonly packed: boolean;
}

/** One job that picks one order (the real one may pick many). */
export interface PickJob {
  readonly id: number;
  readonly status: 'open' | 'done' | 'excluded';
  readonly assigned: Identifier | null;
  /** Done without every line picked. */
  readonly incomplete: boolean;
}

/** More lines than that would share their ids with those of the next order. */
const LINE_LIMIT = 1000;

/** The id of an order's nth line. */
export function orderItemIdOf(orderId: number, index: number): number {
  return orderId * LINE_LIMIT + index;
}

/** The line of the order with that id, or its first; throws where there is none. */
export function lineOf(order: OrderState, orderItemId?: string): OrderLine {
  const line = order.lines.find(
    (candidate) => orderItemId === undefined || String(candidate.orderItemId) === orderItemId,
  );
  if (!line) throw new Error(`No item ${orderItemId} in order ${order.id}`);
  return line;
}

/** How many lines the order with that number has where nobody chooses. */
export function lineCountOf(seed: number, number: number): number {
  return createStream(seed, `lines of order ${number}`).between(1, 3);
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

/** An order to which nothing has happened. Throws for more lines than an order can have, or none. */
export function newOrder(id: number, stream: Stream, options: EntryOptions & { readonly lines: number }): OrderState {
  const transaction = newTransaction('order', id, stream, options);
  return {
    ...transaction,
    picker: stream.pick(othersThan(transaction.clerk)),
    lines: newLines(id, stream, options.lines),
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

function newLines(orderId: number, stream: Stream, count: number): OrderState['lines'] {
  if (!Number.isInteger(count) || count < 1 || count > LINE_LIMIT)
    throw new Error(`An order has 1 to ${LINE_LIMIT} lines, not ${count}`);
  return Array.from({ length: count }, (_, index) => ({
    orderItemId: orderItemIdOf(orderId, index),
    item: stream.pick(items),
    qty: stream.between(1, 12),
    picked: false,
    packed: false,
  }));
}
