import type { OrderEvent, WarehouseEvent } from '../domain/event.ts';
import { toOrderEvent } from '../domain/order-event.ts';
import { type OrderRef, parseOrderKey } from '../domain/order-id.ts';
import type { InboxRows } from './rows.ts';

/** Rows of one order that travel together. */
export interface Claim {
  readonly order: OrderRef;
  readonly ids: readonly number[];
  readonly events: readonly OrderEvent[];
  /** There may be more rows than one call takes. */
  readonly full: boolean;
}

/** How many events one call takes. */
export const CLAIM_LIMIT = 200;

/**
 * Reads what waits for an order, in the order of the inbox; undefined if nothing does. A row that is no event of an order,
 * which only another version can have written, is parked instead of holding back those behind it.
 */
export async function claim(rows: InboxRows, key: string): Promise<Claim | undefined> {
  const waiting = await rows.ofSubject(key, CLAIM_LIMIT);
  const order = parseOrderKey(key);
  const read = waiting.map(({ id, event }) => ({ id, event: order && readEvent(event) }));
  const unreadable = read.filter(({ event }) => !event).map(({ id }) => id);
  if (unreadable.length > 0) await rows.park(unreadable, 'not an event of an order for this version');

  const readable = read.filter((row): row is { id: number; event: OrderEvent } => row.event !== undefined);
  if (!order || readable.length === 0) return undefined;
  return {
    order,
    ids: readable.map(({ id }) => id),
    events: readable.map(({ event }) => event),
    full: waiting.length === CLAIM_LIMIT,
  };
}

function readEvent(json: string): OrderEvent | undefined {
  try {
    return toOrderEvent(JSON.parse(json) as WarehouseEvent);
  } catch {
    return undefined;
  }
}
