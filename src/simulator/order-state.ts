import type { Stage } from '../domain/stage.ts';
import type { Customer, Identifier, StockItem } from './directory.ts';

/** An order as the warehouse has it. Times are milliseconds since the epoch, null for what has not happened. */
export interface OrderState {
  readonly orderId: number;
  readonly referenceNum: string;
  readonly customer: Customer;
  readonly facility: Identifier;
  readonly clerk: Identifier;
  readonly picker: Identifier;
  readonly lines: readonly OrderLine[];
  readonly created: number;
  /** Open, Closed, Canceled. */
  readonly status: 0 | 1 | 2;
  readonly deleted: boolean;
  readonly fullyAllocated: boolean;
  readonly deferNotification: boolean;
  readonly processed: number | null;
  readonly pickDone: number | null;
  readonly packStarted: number | null;
  readonly packDone: number | null;
  /** Oldest first. */
  readonly pickJobs: readonly PickJob[];
  readonly lastModified: number;
  readonly lastModifiedBy: Identifier;
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

/** The stage that an order is truly in, read off its fields. */
export function trueStage(order: OrderState): Stage {
  if (order.deleted) return 'deleted';
  if (order.status === 2) return 'canceled';
  if (order.status === 1) return 'confirmed';
  if (order.packDone !== null) return 'packed';
  if (order.packStarted !== null) return 'packing';
  if (order.pickDone !== null) return 'picked';
  return order.fullyAllocated ? 'fullyAllocated' : 'created';
}
